import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { withoutServerOnly } from './server-only.ts'

const left = (code: string) =>
  withoutServerOnly(
    code,
    parseSync('calls.js', code).program.body as unknown as Parameters<typeof withoutServerOnly>[1],
  )

test('a page has of a call what it needs to make it, and nothing of who may and what is recorded', () => {
  const code = `export const removeContact = endpoint({
  method: 'DELETE',
  path: '/api/contacts/:id',
  summary: 'Excluir',
  rows: { 'DELETE /api/contacts/{id}': { act: 'deleteContact', audit: { not: 'so' } } },
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  isSensitive: true
})`
  expect(left(code).replaceAll(/\s+/g, ' ')).toBe(
    "export const removeContact = endpoint({ method: 'DELETE', path: '/api/contacts/:id', params: " +
      'z.object({ id: idParam }), isSensitive: true })',
  )
})

test('what is last in a call is left out, and what is no call stays as it is', () => {
  expect(left("export const a = endpoint({ method: 'GET', audit: 'x' })")).toBe(
    "export const a = endpoint({ method: 'GET',  })",
  )
  const other = "export const b = table({ audit: 'x' })\nconst c = endpoint"
  expect(left(other)).toBe(other)
})
