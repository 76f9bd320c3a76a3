"""Sends result bundles to a store that speaks S3's language and breaks: each is there once, and sums are equal.

usage: python3 Tests/MonitorClientTests/buckets.py --entrain PROGRAM [--bundles N] [--seed N]
The store is a small one of its own: botocore (PyPI) makes each signature again, and what was put is compared with its
checksum. With moto[server] and boto3 installed, bundles go to moto, too, and come back by boto3.
"""
import argparse
import base64
import datetime
import hashlib
import http.server
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

try:
    import botocore.auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials
except ImportError:
    print("skipped: botocore is not installed")
    sys.exit(0)

KEYS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret/with+signs", "AWS_REGION": "eu-central-1",
        "AWS_SESSION_TOKEN": "token=="}


def signature(method, url, headers, moment):
    """The signature of a request without one, by botocore."""
    botocore.auth.get_current_datetime = lambda remove_tzinfo=True: moment
    request = AWSRequest(method=method, url=url, headers=headers)
    credentials = Credentials(KEYS["AWS_ACCESS_KEY_ID"], KEYS["AWS_SECRET_ACCESS_KEY"], KEYS["AWS_SESSION_TOKEN"])
    botocore.auth.S3SigV4QueryAuth(credentials, "s3", KEYS["AWS_REGION"], expires=900).add_auth(request)
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query))["X-Amz-Signature"]


class Store(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, chance):
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects, self.chance, self.faults, self.wrong, self.puts = {}, chance, 0.0, [], 0
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://localhost:{self.server_address[1]}"

    def handle_error(self, *_):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def is_signed(self):
        place = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(place.query))
        given, names = query.get("X-Amz-Signature"), query.get("X-Amz-SignedHeaders", "").split(";")
        headers = {name: self.headers[name] for name in names if name != "host" and self.headers[name] is not None}
        moment = datetime.datetime.strptime(query["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
        with self.server.lock:
            wanted = signature(self.command, f"http://{self.headers['Host']}{place.path}", headers, moment)
        extra = [name for name in self.headers if name.lower().startswith("x-amz-") and name.lower() not in names]
        late = abs((datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None) - moment).total_seconds()) > 900
        return given == wanted and not extra and not late

    def say(self, status, body=b"", **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)

    def breaks(self):
        """A fault now and then: the connection is closed, or the store is busy."""
        if self.server.chance.random() >= self.server.faults:
            return False
        if self.server.chance.random() < 0.5:
            self.close_connection = True
            self.connection.close()
        else:
            self.say(503, b"<Error><Code>SlowDown</Code></Error>")
            self.close_connection = True
        return True

    def do_HEAD(self):
        if not self.is_signed():
            self.server.wrong.append(f"HEAD {self.path}")
            return self.say(403)
        if self.breaks():
            return None
        found = self.server.objects.get(urllib.parse.urlsplit(self.path).path)
        return self.say(200, x_amz_meta_sha256=found[1]) if found else self.say(404)

    def do_GET(self):
        if not self.is_signed():
            self.server.wrong.append(f"GET {self.path}")
            return self.say(403)
        found = self.server.objects.get(urllib.parse.urlsplit(self.path).path)
        return self.say(200, found[0]) if found else self.say(404)

    def do_PUT(self):
        length = int(self.headers["Content-Length"])
        # Some break in the middle of what is sent.
        if self.breaks():
            return None
        body = self.rfile.read(length)
        place = urllib.parse.urlsplit(self.path).path
        if not self.is_signed():
            self.server.wrong.append(f"PUT {self.path}")
            return self.say(403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>")
        if base64.b64encode(hashlib.sha256(body).digest()).decode() != self.headers["x-amz-checksum-sha256"]:
            return self.say(400, b"<Error><Code>BadDigest</Code></Error>")
        with self.server.lock:
            if self.headers["If-None-Match"] == "*" and place in self.server.objects:
                return self.say(412, b"<Error><Code>PreconditionFailed</Code></Error>")
            self.server.objects[place] = (body, self.headers["x-amz-meta-sha256"])
            self.server.puts += 1
        # The object is there, and the answer is lost.
        return None if self.breaks() else self.say(200)


class Campaign:
    def __init__(self, asked):
        self.asked, self.problems = asked, []
        self.out = tempfile.mkdtemp(prefix="entrain-")
        subprocess.run([asked.entrain, "rehearse", os.path.join(os.path.dirname(__file__), "..", "..", "Studies", "mood-playlist.yaml"),
                        "--participants", str(asked.bundles), "--out", self.out], check=True, stdout=subprocess.DEVNULL)
        self.files = {}
        for folder, _, names in os.walk(self.out):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    self.files[os.path.relpath(os.path.join(folder, name), self.out)] = file.read()
        self.files = {path: body for path, body in self.files.items() if path.count("/") and not path.startswith(".")}

    def check(self, isRight, words):
        if not isRight:
            self.problems.append(words)
            print(f"NOT AS IT SHOULD BE: {words}", flush=True)

    def deliver(self, url, *options, to="s3://bucket/lab/2026", out=None, **variables):
        environment = {**os.environ, **KEYS, "AWS_ENDPOINT_URL": url, **variables}
        done = subprocess.run([self.asked.entrain, "deliver", out or self.out, "--to", to, *options], capture_output=True, text=True,
                              env={name: value for name, value in environment.items() if value is not None})
        return done.returncode, done.stdout + done.stderr

    def broken_store(self):
        store = Store(random.Random(self.asked.seed))
        store.faults = 0.15
        code, said = self.deliver(store.url)
        self.check(code == 0, f"faults: {code}, {said[-400:]}")
        kept = {path.removeprefix("/bucket/lab/2026/"): body for path, (body, _) in store.objects.items()}
        self.check(kept == self.files, f"{len(kept)} objects for {len(self.files)} files")
        self.check(not store.wrong, f"signatures: {store.wrong[:2]}")
        store.faults, puts = 0.0, store.puts
        code, said = self.deliver(store.url)
        self.check(code == 0 and f"{self.asked.bundles} bundles had been delivered before" in said and store.puts == puts,
                   f"again: {code}, {said[-300:]}")
        print(f"{self.asked.bundles} bundles, {len(kept)} files, {puts} puts; every seventh exchange broke", flush=True)
        # One that was cut off: its sums are missing, and so are some of its files.
        run = sorted(path.split("/")[0] for path in self.files)[0]
        gone = [path for path in store.objects if f"/{run}/" in path][:3] + [f"/bucket/lab/2026/{run}/SHA256SUMS"]
        for path in gone:
            store.objects.pop(path, None)
        puts = store.puts
        code, said = self.deliver(store.url)
        self.check(code == 0 and store.puts - puts == len(set(gone)), f"the rest: {code}, {store.puts - puts} puts")
        # What the store has damaged or lost since is found by reading it, and by nothing else.
        whole = dict(store.objects)
        paths = [path for path in whole if f"/{run}/" in path]
        sums = f"/bucket/lab/2026/{run}/SHA256SUMS"
        for path, body in ((paths[0], whole[paths[0]][0][:-1] + b"?"), (paths[1], b""), (sums, b"x")):
            store.objects[path] = (body, whole[path][1])
        store.objects.pop(paths[2])
        damaged, puts = {paths[0], paths[1], paths[2], sums}, store.puts
        code, said = self.deliver(store.url)
        self.check(code == 0 and store.puts == puts, f"without --check: {code}, {store.puts - puts} puts")
        code, said = self.deliver(store.url, "--check")
        self.check(code == 0 and store.objects == whole and store.puts - puts == len(damaged),
                   f"--check: {code}, {store.puts - puts} puts for {len(damaged)}, {said[-300:]}")
        code, said = self.deliver(store.url, "--check")
        self.check(code == 0 and f"{self.asked.bundles} bundles had been delivered before" in said and store.puts - puts == len(damaged),
                   f"--check again: {code}, {said[-300:]}")
        self.receipts(store)
        self.refusals(store, run)
        store.shutdown()
        store.server_close()
        code, said = self.deliver(store.url)
        self.check(code == 69, f"without a store: {code}, {said[-300:]}")

    def receipts(self, store):
        """A run with a log has a receipt by the log's key, which `verify` compares with the bundle."""
        results = tempfile.mkdtemp(prefix="entrain-")
        with open(f"{results}/study.yaml", "w") as file:
            file.write("entrain: 1\nstudy: {identifier: s, title: S, seed: 1}\ntasks:\n"
                       "  - {identifier: t, steps: [{type: active, identifier: a, title: A, duration: 1 s},\n"
                       "      {type: completion, identifier: end, title: End}]}\n")
        subprocess.run(f"(while sleep 0.2; do echo; done) | '{self.asked.entrain}' run study.yaml --participant P01 --audio none --plain "
                       "--out .", shell=True, check=True, cwd=results, stdout=subprocess.DEVNULL)
        code, said = self.deliver(store.url, out=results)
        files = sorted(os.listdir(f"{results}/.receipts"))
        receipt = f"{results}/.receipts/{files[0]}"
        with open(receipt) as file, open(f"{results}/.log/verifier-key") as own:
            text = file.read()
            self.check(text.startswith(f"s3://bucket/lab/2026\n{own.read().strip()}\n\n"), "the key of the receipt")
        verified = subprocess.run([self.asked.entrain, "verify", results], capture_output=True, text=True)
        self.check(code == 0 and len(files) == 1 and "kept by s3://bucket/lab/2026" in verified.stdout and verified.returncode == 0,
                   f"receipts: {code}, {files}, {verified}")
        with open(receipt, "w") as file:
            file.write(text.replace("entrain receipt", "entrain receipts"))
        verified = subprocess.run([self.asked.entrain, "verify", results], capture_output=True, text=True)
        self.check(verified.returncode == 65 and "is not signed" in verified.stdout, f"forged receipt: {verified}")
        shutil.rmtree(results)

    def refusals(self, store, run):
        other = tempfile.mkdtemp(prefix="entrain-")
        shutil.copytree(f"{self.out}/{run}", f"{other}/{run}")
        with open(f"{other}/{run}/SHA256SUMS", "a") as file:
            file.write(f"{'0' * 64}  none\n")
        before = dict(store.objects)
        code, said = self.deliver(store.url, out=other)
        self.check(code == 65 and "another bundle of this run is in the bucket" in said, f"another: {code}, {said}")
        code, said = self.deliver(store.url, to="s3://bucket/elsewhere", out=other)
        self.check(code == 65 and "none is missing" in said, f"damaged: {code}, {said}")
        self.check(store.objects == before, "something was put")
        code, said = self.deliver(store.url, to="s3://bucket/new", AWS_SECRET_ACCESS_KEY="wrong")
        self.check(code == 69 and "403" in said and "wrong" not in said, f"wrong keys: {code}, {said}")
        code, said = self.deliver(store.url, AWS_ACCESS_KEY_ID=None)
        self.check(code == 64 and "AWS_ACCESS_KEY_ID is missing" in said, f"no keys: {code}, {said}")
        shutil.rmtree(other)

    def moto(self):
        try:
            import logging

            import boto3
            from moto.server import ThreadedMotoServer
        except ImportError:
            return
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        host, port = server.get_host_and_port()
        url = f"http://{host}:{port}"
        os.environ.update(KEYS)
        client = boto3.client("s3", endpoint_url=url, region_name=KEYS["AWS_REGION"])
        client.create_bucket(Bucket="bucket", CreateBucketConfiguration={"LocationConstraint": KEYS["AWS_REGION"]})
        code, said = self.deliver(url)
        self.check(code == 0, f"moto: {code}, {said[-300:]}")
        kept = {}
        for page in client.get_paginator("list_objects_v2").paginate(Bucket="bucket"):
            for one in page["Contents"]:
                kept[one["Key"].removeprefix("lab/2026/")] = client.get_object(Bucket="bucket", Key=one["Key"])["Body"].read()
        self.check(kept == self.files, f"moto has {len(kept)} objects for {len(self.files)} files")
        code, said = self.deliver(url)
        self.check(code == 0 and f"{self.asked.bundles} bundles had been" in said, f"moto again: {code}, {said[-300:]}")
        code, said = self.deliver(url, to="s3://nowhere/x")
        self.check(code == 69 and "NoSuchBucket" in said, f"no such bucket: {code}, {said[-300:]}")
        print(f"moto: {len(kept)} objects, and boto3 reads them as they were", flush=True)
        server.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrain", required=True)
    parser.add_argument("--bundles", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    asked.entrain = os.path.abspath(asked.entrain)
    campaign = Campaign(asked)
    campaign.broken_store()
    campaign.moto()
    shutil.rmtree(campaign.out)
    print(f"{len(campaign.problems)} problems")
    return 1 if campaign.problems else 0


if __name__ == "__main__":
    sys.exit(main())
