import { expect, test } from 'vitest'
import { neutralCell } from './csv-answer.ts'

test.each(['=1+1', ' =1+1', '+5511+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '-1-1', '+a'])(
  'a spreadsheet does not compute %j',
  (text) => expect(neutralCell(text)).toBe(`'${text}`),
)

test.each(['', 'Rita', '5511987654321', '+5511987654321', '-12', '-12,5', 'a=b', '1+1', '(11) 98765-4321'])(
  '%j stays as it is',
  (text) => expect(neutralCell(text)).toBe(text),
)
