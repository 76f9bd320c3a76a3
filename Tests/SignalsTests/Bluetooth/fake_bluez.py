#!/usr/bin/python3
"""A private bus with a BlueZ on it whose straps do as they are told.

Prints `address ADDRESS` when it is ready, then `sent {...}` for every packet, and one line for every method that is
called. Ends at the end of standard input, on which it takes commands:

    send HEX               one packet of the strap that somebody listens to
    drop / return          the first strap's link is lost / it can be connected again
    off / on               the adapter's power
    battery PERCENT        the first strap's charge, told to whoever listens
    listen                 somebody else listens to the first strap's measurements
    bye                    BlueZ leaves the bus
    quit                   the end

With --measure the first strap has Polar's measurement service too: an ECG at 130 Hz, whose samples count up from 0 since
the strap was switched on, and an accelerometer at 50 Hz in differences of few bits. Its clock goes on while the link is
lost. With --left-on it is connected, and sends the ECG of a program that was killed.

With --beat it is a heart by itself: a packet a second from the first StartNotify on.
Needs Debian's python3-dbusmock and dbus; python3-dbusmock's own bluez template has no GATT, so the objects are added
here by hand.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

import dbus
import dbus.bus
import dbus.mainloop.glib
from dbusmock.mockobject import DBusMockObject, objects
from gi.repository import GLib

BLUEZ, MANAGER = "org.bluez", "org.freedesktop.DBus.ObjectManager"
ADAPTER, DEVICE, BATTERY = BLUEZ + ".Adapter1", BLUEZ + ".Device1", BLUEZ + ".Battery1"
SERVICE, CHARACTERISTIC = BLUEZ + ".GattService1", BLUEZ + ".GattCharacteristic1"
ROOT = "/org/bluez/hci0"


def uuid(short):
    return f"0000{short}-0000-1000-8000-00805f9b34fb"


def octets(data):
    return dbus.Array([dbus.Byte(byte) for byte in data], signature="y")


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--straps", type=int, default=1)
    parser.add_argument("--no-adapter", action="store_true")
    parser.add_argument("--unpowered", action="store_true")
    parser.add_argument("--no-bluez", action="store_true", help="nobody owns the name org.bluez")
    parser.add_argument("--in-progress", type=int, default=0, help="so many calls of Connect and StartNotify fail")
    parser.add_argument("--hidden", action="store_true", help="straps appear only while discovering")
    parser.add_argument("--beat", action="store_true")
    parser.add_argument("--measure", action="store_true", help="the first strap has a measurement service")
    parser.add_argument("--left-on", action="store_true", help="with --measure: a killed program's ECG goes on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--losses", default="", help="from:seconds,… after the first StartNotify: the link is lost")
    parser.add_argument("--stall", type=float, default=0, help="after so many seconds packets end, the link stays")
    parser.add_argument("--quiet", action="store_true", help="do not print the calls")
    return parser.parse_args()


class Heart:
    """Beats between 0.5 and 1.1 s; packets once a second with whatever fell into it, so 0 to 3 intervals."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.next, self.now, self.count = 0.0, 0.0, 0

    def packet(self, elapsed):
        raw = []
        while self.next <= elapsed:
            interval = round(self.random.uniform(0.5, 1.1) * 1024)
            self.next += interval / 1024
            raw.append(interval)
        self.count += 1
        # Every third second the rate does not change: equal packets must arrive all the same.
        rate = 60 + self.count // 3 % 20
        data = [0x16 if raw else 0x06, rate]
        for interval in raw:
            data += [interval & 0xFF, interval >> 8]
        return data, raw


PMD = "fb005c8%d-02e7-f387-1cad-8acd2d8df0c8"


class Measurements:
    """The measurement service: requests in, answers and frames out."""

    # Type: samples per second, samples in a frame, the answer to a request for settings.
    KINDS = {
        0: (130, 73, "00 01 82 00 01 01 0E 00"),
        2: (50, 36, "00 04 19 00 32 00 64 00 C8 00 01 01 10 00 02 03 02 00 04 00 08 00"),
    }

    def __init__(self, bluez, path):
        self.bluez, self.path = bluez, path
        self.began, self.wall = time.monotonic(), time.time()
        # The strap's own clock, nanoseconds since 2000, wrong by some months.
        self.origin = 7 * 365 * 86400 * 10**9
        self.going = {}

    def request(self, data):
        operation, kind = data[0], data[1] & 0x3F
        self.bluez.say("WriteValue", bytes(data).hex())
        if kind not in self.KINDS:
            answer, rest = 3, b""
        elif operation == 1:
            answer, rest = 0, bytes.fromhex(self.KINDS[kind][2])
        elif operation == 2:
            answer, rest = (6 if kind in self.going else 0), (b"\x05\x01\x00\x00\x80\x3f" if kind == 2 else b"")
            if kind not in self.going:
                self.going[kind] = self.count(kind)
                # As long as an interval of a connection: a frame waits for up to that.
                GLib.timeout_add(30, self.turn, kind)
        else:
            self.going.pop(kind, None)
            answer, rest = 0, b""
        GLib.idle_add(self.tell, f"{self.path}/service0003/char0008", bytes([0xF0, operation, data[1], answer, 0]) + rest)

    def tell(self, place, data):
        if self.bluez.in_reach:
            self.bluez.change(place, CHARACTERISTIC, {"Value": octets(data)})
        return False

    def count(self, kind):
        return int((time.monotonic() - self.began) * self.KINDS[kind][0])

    def turn(self, kind):
        if kind not in self.going:
            return False
        rate, size, _ = self.KINDS[kind]
        while self.going[kind] + size <= self.count(kind):
            first = self.going[kind]
            self.going[kind] += size
            stamp = self.origin + round((first + size - 1) / rate * 1e9)
            head = bytes([kind]) + stamp.to_bytes(8, "little")
            if kind == 0:
                body = b"\0" + b"".join((first + index).to_bytes(3, "little", signed=True) for index in range(size))
            else:
                body = self.packed(first, size)
            if self.bluez.notifying:
                print("frame", json.dumps({"kind": kind, "time": time.time(), "first": first, "count": size,
                                           "zero": self.wall, "rate": rate}), flush=True)
                self.tell(f"{self.path}/service0003/char000a", head + body)
        return True

    @staticmethod
    def axes(index):
        return [index % 1000 - 500, 500 - index % 1000, 1000 + index % 7]

    def packed(self, first, size):
        reference = b"".join(value.to_bytes(2, "little", signed=True) for value in self.axes(first))
        bits, place, packed = 11, 0, 0
        for index in range(first + 1, first + size):
            for new, old in zip(self.axes(index), self.axes(index - 1)):
                packed |= ((new - old) & (1 << bits) - 1) << place
                place += bits
        return b"\x81" + reference + bytes([bits, size - 1]) + packed.to_bytes((place + 7) // 8, "little")


class BlueZ:
    def __init__(self, told, connection):
        self.told, self.connection = told, connection
        self.in_progress = told.in_progress
        self.in_reach, self.notifying, self.began = True, False, None
        self.speaker = self.strap(0)
        self.heart = Heart(told.seed)
        self.measurements = None
        self.name = None if told.no_bluez else dbus.service.BusName(BLUEZ, connection)
        owner = self.name or dbus.service.BusName("org.example.nobody", connection)
        self.log = open(os.devnull, "wb")
        self.root = DBusMockObject(owner, "/", MANAGER, {}, logfile=os.devnull, is_object_manager=True)
        objects["/"] = self.root
        self.root._set_up_object_manager()
        if not told.no_adapter:
            self.add_adapter()
            for number in range(told.straps):
                self.add_strap(number)

    def say(self, *words):
        if not self.told.quiet:
            print("called", *words, flush=True)

    def add_adapter(self):
        def filter_(mock, wanted):
            self.say("SetDiscoveryFilter", wanted.get("Transport"), *wanted.get("UUIDs", []))

        def start(mock):
            self.say("StartDiscovery")
            if self.told.hidden:
                for number in range(self.told.straps):
                    self.change(self.strap(number), DEVICE, {"RSSI": dbus.Int16(-60 - number)})

        properties = {
            "Address": "00:11:22:33:44:55", "Name": "fake", "Powered": dbus.Boolean(not self.told.unpowered),
            "Discovering": dbus.Boolean(False), "Roles": dbus.Array(["central"], signature="s"),
        }
        self.root.AddObject(ROOT, ADAPTER, properties, [
            ("SetDiscoveryFilter", "a{sv}", "", filter_), ("StartDiscovery", "", "", start),
            ("StopDiscovery", "", "", lambda mock: self.say("StopDiscovery")),
        ])

    @staticmethod
    def strap(number):
        return f"{ROOT}/dev_A0_9E_1A_00_00_0{number + 1}"

    def add_strap(self, number):
        path = self.strap(number)
        properties = {
            "Address": f"A0:9E:1A:00:00:0{number + 1}", "Name": f"Fake H10 {number + 1}",
            "Alias": f"Fake H10 {number + 1}", "Connected": dbus.Boolean(False), "Paired": dbus.Boolean(False),
            "ServicesResolved": dbus.Boolean(False), "Adapter": dbus.ObjectPath(ROOT),
            "UUIDs": dbus.Array([uuid("180d"), uuid("180f")], signature="s"),
        }
        if not self.told.hidden:
            properties["RSSI"] = dbus.Int16(-60 - number)
        self.root.AddObject(path, DEVICE, properties, [
            ("Connect", "", "", lambda mock: self.connect(path)),
            ("Disconnect", "", "", lambda mock: self.disconnect(path)),
        ])
        self.measurements = self.measurements or Measurements(self, path)
        for service, short in (("service0001", "180d"), ("service0002", "180f")):
            self.root.AddObject(f"{path}/{service}", SERVICE, {
                "UUID": uuid(short), "Device": dbus.ObjectPath(path), "Primary": dbus.Boolean(True)}, [])
        for below, short, value, flags in (
            ("service0001/char0002", "2a37", [], ["notify"]), ("service0001/char0004", "2a38", [1], ["read"]),
            ("service0002/char0006", "2a19", [87 - number], ["read", "notify"]),
        ):
            place = f"{path}/{below}"
            self.root.AddObject(place, CHARACTERISTIC, {
                "UUID": uuid(short), "Service": dbus.ObjectPath(place.rsplit("/", 1)[0]),
                "Value": octets(value), "Flags": dbus.Array(flags, signature="s"),
                "Notifying": dbus.Boolean(False),
            }, [
                ("StartNotify", "", "", lambda mock, short=short: self.start(path) if short == "2a37" else None),
                ("StopNotify", "", "", lambda mock, short=short: self.stop(path) if short == "2a37" else None),
                ("ReadValue", "a{sv}", "ay", lambda mock, _: mock.props[CHARACTERISTIC]["Value"]),
            ])

        if self.told.measure and number == 0:
            self.add_measurements(path)
        if self.told.left_on and number == 0:
            self.measurements.going[0] = 0
            objects[path].props[DEVICE].update({"Connected": dbus.Boolean(True), "ServicesResolved": dbus.Boolean(True)})

    def add_measurements(self, path):
        self.root.AddObject(f"{path}/service0003", SERVICE, {
            "UUID": PMD % 0, "Device": dbus.ObjectPath(path), "Primary": dbus.Boolean(True)}, [])
        for below, number, flags in (("char0008", 1, ["read", "write", "indicate"]), ("char000a", 2, ["notify"])):
            place = f"{path}/service0003/{below}"
            self.root.AddObject(place, CHARACTERISTIC, {
                "UUID": PMD % number, "Service": dbus.ObjectPath(f"{path}/service0003"), "Value": octets([]),
                "Flags": dbus.Array(flags, signature="s"), "Notifying": dbus.Boolean(False),
            }, [
                ("StartNotify", "", "", lambda mock: None), ("StopNotify", "", "", lambda mock: None),
                ("WriteValue", "aya{sv}", "", lambda mock, data, _: self.measurements.request(list(data))),
            ])

    def change(self, path, interface, properties):
        objects[path].props[interface].update(properties)
        objects[path].EmitSignal("org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", [
            interface, dbus.Dictionary(properties, signature="sv"), dbus.Array([], signature="s")])

    def refuse(self, name, words):
        raise dbus.exceptions.DBusException(words, name=f"{BLUEZ}.Error.{name}")

    def maybe_in_progress(self):
        if self.in_progress > 0:
            self.in_progress -= 1
            self.refuse("InProgress", "Operation already in progress")

    def connect(self, path):
        self.say("Connect", path)
        self.maybe_in_progress()
        if not self.in_reach:
            self.refuse("Failed", "le-connection-abort-by-local")
        self.change(path, DEVICE, {"Connected": dbus.Boolean(True)})
        GLib.timeout_add(20, self.resolve, path)

    def resolve(self, path):
        if objects[path].props[DEVICE]["Connected"]:
            self.change(path, DEVICE, {"ServicesResolved": dbus.Boolean(True)})
        return False

    def disconnect(self, path):
        self.say("Disconnect", path)
        self.notifying = False
        self.change(path, DEVICE, {"Connected": dbus.Boolean(False), "ServicesResolved": dbus.Boolean(False)})

    def start(self, path):
        self.say("StartNotify", path)
        self.maybe_in_progress()
        if not objects[path].props[DEVICE]["Connected"]:
            self.refuse("NotConnected", "Not Connected")
        self.notifying, self.speaker = True, path
        self.stalled = False
        if self.told.beat and self.began is None:
            self.began = time.monotonic()
            for loss in filter(None, self.told.losses.split(",")):
                start, length = map(float, loss.split(":"))
                GLib.timeout_add(int(start * 1000), self.drop)
                GLib.timeout_add(int((start + length) * 1000), self.come_back)
            if self.told.stall:
                GLib.timeout_add(int(self.told.stall * 1000), self.stall)
            GLib.timeout_add(1000, self.beat)

    def stop(self, path):
        self.say("StopNotify", path)
        self.notifying = False

    def stall(self):
        self.stalled = True
        return False

    def beat(self):
        if self.notifying and not self.stalled:
            data, raw = self.heart.packet(time.monotonic() - self.began)
            self.send(data, raw)
        return True

    def send(self, data, raw=None):
        path = self.speaker + "/service0001/char0002"
        if not self.notifying:
            return
        print("sent", json.dumps({"time": time.time(), "hex": bytes(data).hex(), "rr": raw}), flush=True)
        self.change(path, CHARACTERISTIC, {"Value": octets(data)})

    def drop(self):
        self.in_reach = self.notifying = False
        print("event", json.dumps({"time": time.time(), "what": "drop"}), flush=True)
        self.change(self.strap(0), DEVICE, {
            "Connected": dbus.Boolean(False), "ServicesResolved": dbus.Boolean(False)})
        return False

    def come_back(self):
        self.in_reach = True
        print("event", json.dumps({"time": time.time(), "what": "return"}), flush=True)
        return False

    def obey(self, line):
        words = line.split()
        word = words[0] if words else ""
        if word == "send":
            self.send(list(bytes.fromhex(words[1])))
        elif word == "drop":
            self.drop()
        elif word == "return":
            self.come_back()
        elif word in ("off", "on"):
            self.change(ROOT, ADAPTER, {"Powered": dbus.Boolean(word == "on")})
        elif word == "battery":
            level = octets([int(words[1])])
            self.change(self.strap(0) + "/service0002/char0006", CHARACTERISTIC, {"Value": level})
        elif word == "listen":
            place = self.strap(0) + "/service0003/char000a"
            objects[place].props[CHARACTERISTIC]["Notifying"] = dbus.Boolean(True)
            print("listening", flush=True)
        elif word == "bye":
            self.connection.release_name(BLUEZ)


def main():
    told = options()
    configuration = (
        '<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" '
        '"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd"><busconfig>'
        '<listen>unix:tmpdir=/tmp</listen><policy context="default"><allow send_destination="*" eavesdrop="true"/>'
        '<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>')
    path = f"/tmp/entrain-fake-bus-{os.getpid()}.conf"
    with open(path, "w") as file:
        file.write(configuration)
    daemon = subprocess.Popen(
        ["dbus-daemon", "--config-file=" + path, "--print-address=1", "--nofork"], stdout=subprocess.PIPE, text=True)
    try:
        address = daemon.stdout.readline().strip()
        os.unlink(path)
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bluez = BlueZ(told, dbus.bus.BusConnection(address))
        loop = GLib.MainLoop()

        def read(channel, _):
            lines = os.read(0, 65536).decode().splitlines()
            for line in lines:
                bluez.obey(line)
            if not lines or "quit" in lines:
                loop.quit()
                return False
            return True

        GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, read)
        print("address", address, flush=True)
        loop.run()
    finally:
        daemon.terminate()
        daemon.wait()


main()
