import { expect, test } from 'vitest'
import { isLocalName } from './local-name.ts'

test.each([
  '127.0.0.1',
  '127.0.0.1:3000',
  '192.168.0.7:3000',
  '[::1]:3000',
  'localhost',
  'LOCALHOST:80',
  'a.localhost:1',
])('%s is an address or a name of this machine', (host) => expect(isLocalName(host)).toBe(true))

test.each([
  undefined,
  '',
  'mal.example',
  'mal.example:3000',
  '127.0.0.1.mal.example',
  'localhost.mal.example',
  '1.2.3',
])('the host name %s is not local', (host) => expect(isLocalName(host)).toBe(false))
