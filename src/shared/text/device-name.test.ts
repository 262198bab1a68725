import { expect, test } from 'vitest'
import { longDevice, shortDevice } from './device-name.ts'

const mozilla = 'Mozilla/5.0'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1'

test.each([
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome · Windows',
    'Chrome 142, Windows',
  ],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Edge · Windows',
    'Edge 142, Windows',
  ],
  [
    `${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`,
    'Firefox · Linux',
    'Firefox 140, Linux',
  ],
  [
    `${mozilla} (Linux; Android 10; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'Chrome · Android',
    'Chrome 142, Android',
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${apple} Safari/605.1.15`,
    'Safari · macOS',
    'Safari 18, macOS',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${apple} Mobile/15E148 Safari/604.1`,
    'Safari · iPhone',
    'Safari 18, iPhone',
  ],
  ['curl/8.5.0', 'curl', 'curl 8'],
  ['node', 'node', 'node'],
  ['<script>', '<script>', '<script>'],
  ['', '', ''],
])('the names of the device with the user agent %s', (userAgent, short, long) => {
  expect([shortDevice(userAgent), longDevice(userAgent)]).toEqual([short, long])
})
