"""Reads 1% of a plain file of 1 GiB from an S3 server that is 30 ms away; prints requests and bytes.

  /usr/bin/python3 benchmarks/remote/remote.py [MIB]

Needs h5py with fsspec and aiohttp (python3-fsspec, python3-aiohttp), Maven and a JDK 25 at JAVA_HOME; `mvn -Dgate -DskipTests
verify` or `./hyperslab` has compiled the benchmarks before. S3Proxy (Maven Central) serves a folder; a proxy
before it counts requests and adds the latency. HDF5's ROS3 is not in Debian's libraries.
"""
import asyncio, os, pathlib, socket, subprocess, sys, tempfile, threading, time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LATENCY = 0.030
ROWS = 256 * int(sys.argv[1] if len(sys.argv) > 1 else 1024)
IDENTITY, SECRET = "benchmark-identity", "benchmark-secret"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Proxy(threading.Thread):
    """Forwards connections; each request waits, requests and the bytes of answers are counted."""

    def __init__(self, target):
        super().__init__(daemon=True)
        self.target, self.port = target, free_port()
        self.requests = self.sent = 0
        self.ready = threading.Event()

    def take(self):
        counted = self.requests, self.sent
        self.requests = self.sent = 0
        return counted

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.connected, "127.0.0.1", self.port, limit=1 << 20)
        self.ready.set()
        await server.serve_forever()

    async def connected(self, reader, writer):
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)

        async def back():
            try:
                while data := await up_reader.read(1 << 18):
                    self.sent += len(data)
                    writer.write(data)
                    await writer.drain()
            except ConnectionError:
                pass
            writer.close()

        task = asyncio.create_task(back())
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.requests += 1
                await asyncio.sleep(LATENCY)
                up_writer.write(head)
                await up_writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            up_writer.close()
        await task


def s3proxy(work, lib, folder, authorization):
    port = free_port()
    settings = {
        "s3proxy.endpoint": f"http://127.0.0.1:{port}",
        "s3proxy.authorization": authorization,
        "s3proxy.identity": IDENTITY,
        "s3proxy.credential": SECRET,
        "jclouds.provider": "filesystem-nio2",
        "jclouds.filesystem.basedir": str(folder),
    }
    if authorization == "none":
        del settings["s3proxy.identity"], settings["s3proxy.credential"]
    path = work / f"{authorization}.conf"
    path.write_text("".join(f"{k}={v}\n" for k, v in settings.items()))
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java")
    process = subprocess.Popen(
        [java, "-DLOG_LEVEL=warn", "-cp", f"{lib}/*", "org.gaul.s3proxy.Main", "--properties", str(path)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return process, port
        except OSError:
            time.sleep(0.1)


def told(name, proxy, since, wanted):
    requests, sent = proxy.take()
    print(f"{name:28} {time.time() - since:6.2f} s  {requests:4} requests  {sent / wanted:5.2f} times the bytes")


def main():
    import h5py, numpy

    work = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
    lib, folder = work / "lib", work / "served"
    (folder / "bucket").mkdir(parents=True)
    subprocess.run(["mvn", "-q", "-B", "-f", str(HERE / "s3proxy-pom.xml"), "dependency:copy-dependencies",
                    f"-DoutputDirectory={lib}"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with h5py.File(folder / "bucket" / "plain.h5", "w") as f:
        a = f.create_dataset("a", (ROWS, 1024), "f4", chunks=(64, 1024))
        for row in range(0, ROWS, 4096):
            a[row:row + 4096] = numpy.full((min(4096, ROWS - row), 1024), row, "f4")
    signed, signed_port = s3proxy(work, lib, folder, "aws-v4")
    plain, plain_port = s3proxy(work, lib, folder, "none")
    ours, others = Proxy(signed_port), Proxy(plain_port)
    for proxy in (ours, others):
        proxy.start()
        proxy.ready.wait()
    first, count = ROWS // 2, ROWS // 100
    wanted = count * 1024 * 4
    try:
        classpath = os.environ.get("HYPERSLAB_CLASSPATH") or next(
            line.split("=", 1)[1].strip().strip("'\"") for line in
            (ROOT / "tools/target/dist/launch.env").read_text().splitlines() if line.startswith("CLASSPATH="))
        java = os.path.join(os.environ["JAVA_HOME"], "bin", "java")
        for _ in range(3):
            since = time.time()
            subprocess.run(
                [java, "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED",
                 "-cp", f"{ROOT}/benchmarks/target/classes:{classpath}",
                 "org.hyperslab.benchmarks.remote.RemoteRead", f"http://127.0.0.1:{ours.port}",
                 "s3://bucket/plain.h5", "a", f"{first}:{first + count}, :"],
                check=True, env=dict(os.environ, AWS_ACCESS_KEY_ID=IDENTITY, AWS_SECRET_ACCESS_KEY=SECRET))
            told("hyperslab, process and all", ours, since, wanted)
        url = f"http://127.0.0.1:{others.port}/bucket/plain.h5"
        since = time.time()
        subprocess.run([java, "-cp", classpath, str(HERE / "JhdfRead.java"), url, "/a", str(first), str(count)],
                       check=True, stderr=subprocess.DEVNULL)
        told("jHDF, http, process and all", others, since, wanted)
        import fsspec
        for block in (5 << 20, 64 << 10):
            since = time.time()
            with fsspec.open(url, "rb", block_size=block) as remote, h5py.File(remote, "r") as f:
                f["a"][first:first + count]
            told(f"h5py, fsspec {block >> 10} KiB", others, since, wanted)
    finally:
        signed.kill()
        plain.kill()
        subprocess.run(["rm", "-r", str(work)])


if __name__ == "__main__":
    main()
