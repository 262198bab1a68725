/**
 * A hundred and twenty addresses of the inside, in their spellings, that nobody has declared: no call may
 * connect to any of them. 127.0.0.1 is not among them, since tests declare it.
 * @param port where a trap listens
 */
export function refusedAddresses(port: number): string[] {
  const loopback = `
    127.0.0.2 127.1.2.3 127.2 127.0.2 127.255.255.254 2130706434 0x7f000002 0x7f.2 0x7f.0x0.0x0.0x2
    0177.0.0.2 017700000002 0177.2 127.0.0.2. 127.000.000.002 0.0.0.0 0 0x0 00 0.0.0.0. １２７.0.0.2 127。0。0。2
    ①②⑦.0.0.2`
    .trim()
    .split(/\s+/)
  const mapped = `
    [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.2] [::ffff:7f00:2] [::ffff:0:0] [0:0:0:0:0:ffff:127.0.0.2]
    [::127.0.0.2] [::7f00:2] [64:ff9b::7f00:2] [2002:7f00:2::] [2002:7f00:2::1] [::ffff:10.0.0.1]
    [::ffff:169.254.169.254] [::ffff:192.168.0.1]`
    .trim()
    .split(/\s+/)
  const further = `
    10.0.0.1 10.255.255.255 10.1 167772161 0x0a000001 012.0.0.1 172.16.0.1 172.31.255.254 172.17.0.1
    2886729729 0xac100001 192.168.0.1 192.168.255.254 192.168.1 3232235521 0xc0a80001 100.64.0.1
    100.127.255.254 169.254.169.254 169.254.0.1 2852039166 0xa9fea9fe 169.254.43518 0251.0376.0251.0376
    169.254.169.254. 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 0.1.2.3 192.0.0.1 198.18.0.1
    198.51.100.1 203.0.113.1 192.0.2.1 192.88.99.1 [fe80::1] [fe80::1234:5678] [fc00::1] [fd00::1]
    [fd00:ec2::254] [fdff:ffff::1] [ff02::1] [ff05::2] [100::1] [2001:db8::1] [2001::1] [4000::1] [::2]
    [::a00:1]`
    .trim()
    .split(/\s+/)
  const ports = [22, 25, 53, 80, 110, 443, 2375, 2379, 3000, 5432, 6379, 8080, 9200, 10_250, 11_211, 27_017]
  const tricks = [
    `http://nome@127.0.0.2:${port}/v1`,
    `http://nome:senha@127.0.0.2:${port}/v1`,
    `http://example.com@127.0.0.2:${port}/v1`,
    `http://127.0.0.2:${port}/v1#@example.com`,
    `http://127.0.0.2:${port}/v1?@example.com/`,
    `http://127.0.0.2:${port}\\@example.com/v1`,
    `http:\\\\127.0.0.2:${port}\\v1`,
    `http:/127.0.0.2:${port}/v1`,
    `http:127.0.0.2:${port}/v1`,
    `HTTP://127.0.0.2:${port}/v1`,
    `https://127.0.0.2:${port}/v1`,
    `http://127.0.0.%32:${port}/v1`,
    `http://127.0.0\t.2:${port}/v1`,
    `http://127.0.0.2:${port}/v1\r\nHost: example.com`,
    `file:///etc/passwd`,
    `gopher://127.0.0.2:${port}/_x`,
    `ftp://127.0.0.2:${port}/v1`,
    `data:application/json,{}`,
    `unix:/var/run/docker.sock`,
  ]
  return [
    ...[...loopback, ...mapped].map((host) => `http://${host}:${port}/v1`),
    ...further.map((host) => `http://${host}/v1`),
    ...ports.map((other) => `http://127.0.0.2:${other}/v1`),
    ...tricks,
  ]
}
