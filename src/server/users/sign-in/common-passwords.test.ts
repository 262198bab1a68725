import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

test.each([
  '123456',
  'senha1',
  'Senha@123',
  'p4ssw0rd!',
  's3nh4',
  'qwerty',
  'asdfgh',
  '1q2w3e4r',
  '987654321',
  '25/12/1999',
  '25121999',
  '111111',
  'abababab',
  'senhasenha',
  'balcao2025',
  'Balcão!',
  'flamengo10',
  'jesuscristo',
  'MARIANA',
])('%j is among the first that are tried', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each(['V6cfgxkLzG6dBKh4', 'alface-roxa-na-mesa', 'quatro gatos pardos', '🔑🗝️ chave — ключ'])(
  'the password %j is not a common one',
  (password) => {
    expect(isCommonPassword(password)).toBe(false)
  },
)

test.each(['anasouza', 'ana.souza', 'AnaSouza1', 'Souza!', 'lojadafoz99'])(
  '%j says what is known of the person',
  (password) => {
    const known = ['ana.souza', 'Ana Souza', 'lojadafoz@exemplo.com.br']
    expect(isCommonPassword(password, known)).toBe(true)
    expect(isCommonPassword(password)).toBe(false)
  },
)
