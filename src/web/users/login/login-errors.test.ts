// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '#web/platform/api/api.ts'
import { loginErrorText } from './login-errors.ts'

test.each([
  [401, 'Usuario ou senha invalido tente novamente'],
  [403, 'Usuario bloqueado apos 3 tentativas incorretas. Entre em contato com o administrador.'],
  [423, 'Conta temporariamente bloqueada. Tente novamente mais tarde.'],
  [500, 'Usuario ou senha invalido tente novamente'],
])('without a message of the server the status %i is shown as %s', (status, text) => {
  expect(loginErrorText(new ApiError(status, 'Nope', ''))).toBe(text)
})

test('the message of the server precedes other texts of a login error', () => {
  const body = JSON.stringify({ code: 'auth.locked', message: 'Tente em 60 segundos' })
  expect(loginErrorText(new ApiError(429, '', body))).toBe('Tente em 60 segundos')
})

test('a login without a network says so', () => {
  expect(loginErrorText(new NetworkError(new TypeError('Failed to fetch')))).toBe(
    'Erro de conexão. Verifique sua internet e tente novamente.',
  )
})
