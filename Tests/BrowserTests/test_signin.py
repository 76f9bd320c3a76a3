"""Signing in to the monitor in Debian's Chromium, with TLS and without.

usage: python3 Tests/BrowserTests/test_signin.py [PATH OF entrain-monitor]
Skipped, with the reason, where Chromium, Playwright or dygraphs are not installed.
"""
import asyncio
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
import urllib.request

from monitor import Monitor, free_port, scratch, wait
from pages import PageCase, main, noon_zone


def answers(port):
    """Whether something listens there."""
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


class ReverseProxy:
    """Encrypts for a server on this machine, and passes each request on under the server's own name."""

    def __init__(self, chain, key, port):
        self.server_port = port
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(chain, key)
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.port = asyncio.run_coroutine_threadsafe(self.begin(), self.loop).result(30)

    async def begin(self):
        server = await asyncio.start_server(self.serve, "127.0.0.1", 0, ssl=self.context)
        return server.sockets[0].getsockname()[1]

    async def serve(self, browser, answers):
        to_server = None
        try:
            head = (await browser.readuntil(b"\r\n\r\n"))[:-4]
            host = re.search(rb"(?im)^host: *([^\r]+)", head)[1]
            head = re.sub(rb"(?im)\r\n(host|connection): *[^\r]+", b"", head)
            head += b"\r\nHost: 127.0.0.1:%d\r\nX-Forwarded-Host: %s\r\nConnection: close\r\n\r\n" % (self.server_port, host)
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self.server_port)
            to_server.write(head)
            asking = asyncio.create_task(self.pass_on(browser, to_server))
            await self.pass_on(from_server, answers)
            asking.cancel()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            for end in [answers, to_server]:
                if end:
                    end.close()

    async def pass_on(self, source, target):
        try:
            while part := await source.read(65536):
                target.write(part)
                await target.drain()
        except OSError:
            pass


class SignInTests(PageCase):
    def setUp(self):
        self.problems = []

    def begin(self, *arguments):
        """A monitor that other machines could reach, with a token for people."""
        data = scratch("entrain-monitor-")
        made = subprocess.run(
            [self.program, "token", "create", "--scope", "read", "--name", "eyes", "--data", data],
            capture_output=True, text=True, check=True)
        self.token = made.stdout.strip()
        self.monitor = Monitor(self.program, "--host", "0.0.0.0", *arguments, data=data, zone=noon_zone())
        self.monitor.url = self.monitor.url.replace("0.0.0.0", "localhost")
        self.addCleanup(self.end)

    def sign_in(self, page, token):
        page.fill("input[name=token]", token)
        page.click("button[type=submit]")

    def try_everything(self):
        page = self.open("/history?date=2026-11-20", context=self.newContext())
        self.assertEqual(page.text_content("h1"), "Sign in")
        self.assertEqual(page.locator("[role=alert]").count(), 0)
        self.sign_in(page, "entrain_wrong")
        page.wait_for_selector("[role=alert]:has-text('does not open these pages')")
        self.assertUsable(page, "after a wrong token")
        self.sign_in(page, self.token)
        page.wait_for_url("**/history?date=2026-11-20")
        self.waitForDate(page, lambda date: date == "2026-11-20")
        self.assertEqual(page.locator("h1:has-text('Sign in')").count(), 0)
        # The part behind the # is never sent, and yet it is there again.
        self.context.clear_cookies()
        page.goto(self.monitor.url + "/#session=run-1")
        self.sign_in(page, "wrong again")
        page.wait_for_selector("[role=alert]")
        self.sign_in(page, self.token)
        page.wait_for_selector("#connection")
        page.wait_for_selector("#failed:has-text('run-1')")
        # Who is signed in can sign out, and the way back is closed.
        self.assertEqual(page.text_content(".account span"), "Signed in as eyes")
        page.click(".account button")
        page.wait_for_url("**/sign-in")
        page.goto(self.monitor.url + "/history")
        self.assertEqual(page.text_content("h1"), "Sign in")
        self.assertEqual(self.context.cookies(), [])
        # Being refused is an answer of 401, and nobody knows that session: 404.
        self.assertEqual([text for text in self.problems if "401" not in text and "404" not in text], [])

    def test_without_tls(self):
        self.begin("--insecure")
        self.try_everything()

    def certificate(self):
        folder = scratch()
        chain, key = folder + "/chain.pem", folder + "/key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-keyout", key, "-out", chain], check=True, capture_output=True)
        return chain, key

    def test_with_tls(self):
        chain, key = self.certificate()
        self.begin("--certificate", chain, "--key", key)
        self.try_everything()

    def test_behind_a_proxy(self):
        chain, key = self.certificate()
        self.begin("--behind-proxy", "127.0.0.1")
        self.monitor.url = f"https://localhost:{ReverseProxy(chain, key, self.monitor.port).port}"
        self.try_everything()

    def test_behind_nginx_as_the_page_of_the_documentation_has_it(self):
        def command(folder, block, port, chain, key):
            kept = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            block = block.replace("443", f"127.0.0.1:{port}").replace("lab.example", "localhost")
            return f"daemon off; pid {folder}/pid; events {{}} http {{ access_log off; {kept} {block} }}", [
                "nginx", "-e", f"{folder}/errors", "-c", f"{folder}/proxy.conf"]
        self.try_behind("nginx", "nginx-light", command)

    def test_behind_apache_as_the_page_of_the_documentation_has_it(self):
        def command(folder, block, port, chain, key):
            modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in (
                "mpm_event", "authz_core", "ssl", "proxy", "proxy_http"))
            block = block.replace("*:443", f"127.0.0.1:{port}").replace("lab.example", "localhost")
            return f"{modules}PidFile {folder}/pid\nErrorLog {folder}/errors\nListen 127.0.0.1:{port}\nServerName localhost\n{block}", [
                "apache2", "-D", "FOREGROUND", "-f", f"{folder}/proxy.conf"]
        self.try_behind("apache2", "apache2", command, name="apache")

    def test_behind_caddy_as_the_page_of_the_documentation_has_it(self):
        def command(folder, block, port, chain, key):
            # Nobody gives a certificate to a test.
            block = block.replace("lab.example {", f"https://localhost:{port} {{\n    tls {chain} {key}")
            return f"{{\n    admin off\n    auto_https off\n    storage file_system {folder}\n}}\n{block}", [
                "caddy", "run", "--adapter", "caddyfile", "--config", f"{folder}/proxy.conf"]
        self.try_behind("caddy", "caddy", command, has_own_certificate=True)

    def try_behind(self, program, package, command, name=None, has_own_certificate=False):
        if not shutil.which(program):
            self.skipTest(f"{program} is not installed: apt-get install {package}")
        chain, key = self.certificate()
        folder, port = scratch(), free_port()
        os.chmod(folder, 0o755)
        self.begin("--behind-proxy", "127.0.0.1", "--host-name", f"localhost:{port}")
        here = os.path.dirname(os.path.abspath(__file__))
        with open(f"{here}/../../Sources/Documentation/Entrain.docc/Monitor.md") as page:
            [block] = re.findall(rf"```{name or program}\n(.*?)```", page.read(), re.S)
        paths = [] if has_own_certificate else [("/etc/ssl/lab/chain.pem", chain), ("/etc/ssl/lab/key.pem", key)]
        for written, own in [("8080", str(self.monitor.port)), *paths]:
            self.assertIn(written, block)
            block = block.replace(written, own)
        settings, words = command(folder, block, port, chain, key)
        with open(f"{folder}/proxy.conf", "w") as file:
            file.write(settings)
        with open(f"{folder}/words", "w") as said:
            proxy = subprocess.Popen(words, stdout=said, stderr=said, env={**os.environ, "HOME": folder})
        self.addCleanup(lambda: (proxy.terminate(), proxy.wait()))
        self.assertTrue(wait(lambda: proxy.poll() is not None or answers(port)))
        self.assertIsNone(proxy.poll(), f"see {folder}/words")
        self.monitor.url = f"https://localhost:{port}"
        self.try_everything()
        # What happens comes through at once.
        sender = self.monitor.token("ingest", "strap")
        page = self.open("/", context=self.newContext())
        self.sign_in(page, self.token)
        page.wait_for_selector("#connection[data-state=up]")
        asking = urllib.request.Request(self.monitor.url + "/api/sessions/readings/heart-rate", b'{"bpm": 77}', {
            "Authorization": f"Bearer {sender}", "Content-Type": "application/json"})
        with urllib.request.urlopen(asking, context=ssl._create_unverified_context()) as answer:
            self.assertEqual(answer.status, 201)
        page.wait_for_selector(".card .value:text-is('77')")

    def test_a_page_of_another_site_cannot_sign_in(self):
        self.begin("--insecure")
        connection = http.client.HTTPConnection("localhost", self.monitor.port)
        self.addCleanup(connection.close)
        for origin in ("null", "http://evil.example"):
            connection.request("POST", "/sign-in", f"token={self.token}", {
                "Origin": origin, "Content-Type": "application/x-www-form-urlencoded"})
            answer = connection.getresponse()
            answer.read()
            self.assertEqual(answer.status, 403)

    def test_a_revoked_token_says_so_and_leads_to_signing_in(self):
        self.begin("--insecure")
        page = self.open("/history?date=2026-11-20")
        self.sign_in(page, self.token)
        page.wait_for_selector("#connection[data-state=up]")
        subprocess.run([self.program, "token", "revoke", "--data", self.monitor.folder, "eyes"], check=True)
        page.wait_for_selector("#connection:has-text('Your sign-in has ended.')")
        token = self.monitor.token("read", "other eyes")
        page.click("#connection a")
        page.wait_for_selector("input[name=token]")
        self.sign_in(page, token)
        page.wait_for_url("**/history?date=2026-11-20")
        page.wait_for_selector("#connection[data-state=up]")

    def test_a_revoked_token_s_stream_ends_within_a_second(self):
        self.begin("--insecure")
        connection = http.client.HTTPConnection("localhost", self.monitor.port, timeout=30)
        self.addCleanup(connection.close)
        connection.request("GET", "/api/events", headers={"Authorization": f"Bearer {self.token}"})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        answer.fp.readline()
        subprocess.run([self.program, "token", "revoke", "--data", self.monitor.folder, "eyes"], check=True)
        began = time.monotonic()
        try:
            while answer.fp.readline():
                pass
        except OSError:
            pass
        took = time.monotonic() - began
        print(f"the stream of a revoked token ends after {took:.2f} s")
        self.assertLess(took, 10)


if __name__ == "__main__":
    main()
