import { expect, test } from 'vitest'
import { keysIn } from './webhook-body.ts'

test.each<[string, string[]]>([
  [JSON.stringify({ event: 'x', data: {}, apikey: 'chave' }), ['chave']],
  [JSON.stringify({ apikey: 'a"b\\c ção' }), ['a"b\\c ção']],
  ['{ "apikey" :\n\t"com espaço" }', ['com espaço']],
  [`{"apikey":"\\u0061${'\\u0062'.repeat(400)}"}`, [`a${'b'.repeat(400)}`]],
  // The last one is that of the envelope.
  [JSON.stringify({ data: { apikey: 'dentro' }, apikey: 'fora' }), ['fora', 'dentro']],
  [`[${'{"apikey":"x"},'.repeat(100)}{}]`, Array.from({ length: 10 }, () => 'x')],
  // What a client writes is no key.
  [JSON.stringify({ text: '"apikey":"escrita por alguém"', name: 'apikey' }), []],
  [JSON.stringify({ apikey: 7, a: { apikey: null }, b: { apikey: ['x'] } }), []],
  ['{"apikey":"sem fim', []],
  ['{"apikey":"sem fim\\', []],
  [`{"apikey":"${'x'.repeat(5000)}"}`, []],
  ['"apikey"', []],
  ['{"apikey":', []],
  ['', []],
])('of %.60s… the keys are %j', (json, keys) => {
  expect(keysIn(Buffer.from(json))).toEqual(keys)
})
