import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { parseRequest } from './arguments.ts'
import { prepareWork } from './user-commands.ts'

const testPassword = 'alface-roxa-na-mesa'

/** The refusals and warnings before a database is opened. */
async function prepare(args: string[], password: string, env: Record<string, string> = {}) {
  const warnings: string[] = []
  const request = parseRequest([...args, '--password-stdin'])
  if (request === 'help' || request === 'version') throw new Error('nothing was asked for')
  if (request.command === 'attach') throw new Error('works on no installation')
  const terminal = {
    print: () => undefined,
    warn: (line: string) => warnings.push(line),
    readNewPassword: () => Promise.resolve(password),
  }
  const prepared = prepareWork(request, readConfig(env, false), terminal, () => false)
  const refusal = await prepared.then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { refusal, warnings }
}

test.each([
  [['--username', 'ab'], testPassword, 'Username deve ter pelo menos 3 caracteres'],
  [['--username', 'a\u001b[2Jb'], testPassword, 'Username: há um caractere inválido'],
  [['--username', 'u'.repeat(201)], testPassword, 'Username deve ter no máximo 200 caracteres'],
  [['--username', 'dora', '--email', 'dora'], testPassword, 'Email inválido'],
  [['--username', 'dora', '--name', ' '], testPassword, 'Nome é obrigatório'],
  [['--username', 'dora'], '12345', 'Senha deve ter pelo menos 6 caracteres'],
  [['--username', 'dora'], '       ', 'Senha não pode ter só espaços'],
  [['--username', 'dora'], 'x'.repeat(1025), 'Senha deve ter no máximo 1024 caracteres'],
  [['--username', 'dora'], 'alface\0roxa', 'Senha: há um caractere inválido'],
])('create %j with the password %j is refused', async (args, password, line) => {
  expect((await prepare(['create', ...args], password)).refusal).toContain(line)
})

test('a user name that makes no address asks for the e-mail', async () => {
  const { refusal } = await prepare(['create', '--username', 'josé da loja'], testPassword)
  expect(refusal).toBe('Email inválido: informe --email')
})

test.each([
  [['create', '--username', 'elisa'], 'elisa2025'],
  [['create', '--username', 'e.costa', '--name', 'Elisa Costa'], 'ElisaCosta!'],
  [['create'], 'Senha@123'],
  [['reset-password', 'elisa'], 'elisa99'],
])('%j with the common password %j is warned of, and refused where it is strict', async (args, password) => {
  const warning = 'Atenção: esta senha é comum e fácil de adivinhar.'
  expect(await prepare(args, password)).toEqual({ refusal: undefined, warnings: [warning] })
  const refusal = 'Senha recusada: é comum e fácil de adivinhar (PASSWORD_STRICT=on).'
  expect(await prepare(args, password, { PASSWORD_STRICT: 'on' })).toEqual({ refusal, warnings: [] })
})

test('a good password is neither warned of nor refused', async () => {
  expect(await prepare(['create'], testPassword, { PASSWORD_STRICT: 'on' })).toEqual({
    refusal: undefined,
    warnings: [],
  })
})
