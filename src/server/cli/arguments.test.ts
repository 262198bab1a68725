import { PassThrough, Readable } from 'node:stream'
import { expect, test, describe } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { parseRequest } from './arguments.ts'
import { usage, usageOf } from './usage.ts'
import { CommandError } from './command-error.ts'
import { prepareWork } from './user-commands.ts'
import { readNewPassword } from './password-input.ts'

const refusal = (args: string[]) => {
  try {
    parseRequest(args)
  } catch (error) {
    if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message }
    throw error
  }
  return undefined
}

test('an operator is created unless a role is given; without a name, the administrator "admin"', () => {
  const named = ['create', '--username', 'ana']
  expect(parseRequest(named)).toMatchObject({ command: 'create', role: 'operator', isDemo: false })
  expect(parseRequest([...named, '--role', 'admin'])).toMatchObject({ role: 'admin' })
  expect(parseRequest(['create'])).toMatchObject({ username: undefined, role: 'admin' })
  expect(parseRequest(['create', '--role', 'supervisor', '--demo'])).toMatchObject({
    role: 'supervisor',
    isDemo: true,
  })
})

test('the help of a command is about that command alone', () => {
  for (const words of [
    ['unblock', '--help'],
    ['-h', 'unblock', 'ana'],
  ]) {
    const text = usageOf(words)
    expect(text).toMatch(/^Uso: npm run admin -- unblock USERNAME\n {6}Desfaz o bloqueio/)
    expect(text).not.toContain('reset-password')
  }
  expect(usageOf(['backup', 'compare', '--help'])).toMatch(/^Uso: npm run admin -- backup compare ID\n/)
  expect(usageOf(['backup', '--help'])).toMatch(/backup list[^]*backup import[^]*backup compare/)
  expect(usageOf(['create', '-h'])).toMatch(/--password-stdin {2}lê a senha/)
  expect(usageOf(['--help'])).toBe(usage)
  expect(usageOf(['nada', '--help'])).toBe(usage)
})

test('options stand before or after the command and its user name', () => {
  const expected = { command: 'reset-password', username: 'ana', isDemo: true, isPasswordGiven: true }
  expect(parseRequest(['--demo', 'reset-password', '--password-stdin', 'ana'])).toEqual(expected)
  expect(parseRequest(['reset-password', 'ana', '--password-stdin', '--demo'])).toEqual(expected)
})

test('backups, copies and databases are named', () => {
  expect(parseRequest(['backup', 'list', '--json'])).toEqual({
    command: 'backup-list',
    isDemo: false,
    isJson: true,
  })
  expect(parseRequest(['backup', 'import', 'a.tar', '--demo'])).toEqual({
    command: 'backup-import',
    isDemo: true,
    path: 'a.tar',
    acceptUnsigned: false,
  })
  expect(parseRequest(['backup', 'import', 'a.tar', '--unsigned'])).toMatchObject({ acceptUnsigned: true })
  expect(parseRequest(['attach', '/mnt/copia'])).toMatchObject({ acceptUnsigned: false })
  expect(parseRequest(['attach', '/mnt/copia', '--unsigned'])).toMatchObject({ acceptUnsigned: true })
  expect(parseRequest(['backup', 'compare', '12'])).toMatchObject({ command: 'backup-compare', id: 12 })
  expect(parseRequest(['media', 'move'])).toMatchObject({ command: 'media-move', to: undefined })
  expect(parseRequest(['media', 'move', '--to', 'disk'])).toMatchObject({ to: 'disk' })
  expect(parseRequest(['media', 'scan', '--remove', '--json'])).toMatchObject({
    command: 'media-scan',
    isRemoving: true,
    isJson: true,
  })
  expect(parseRequest(['copy', '/mnt/copia'])).toMatchObject({ command: 'copy', path: '/mnt/copia' })
  const url = 'postgres://balcao@/banco?host=/run/postgresql'
  expect(parseRequest(['move-to', url])).toMatchObject({ command: 'move-to', url })
})

test.each([[[]], [['--help']], [['-h']], [['create', '--help']], [['unblock', 'ana', '-h']]])(
  'the command line %j shows the usage',
  (args) => expect(parseRequest(args)).toBe('help'),
)

test.each([[['--version']], [['-v']]])('the command line %j shows the version', (args) =>
  expect(parseRequest(args)).toBe('version'),
)

test('the usage names every command', () => {
  for (const command of [
    'create',
    'reset-password USERNAME',
    'unblock USERNAME',
    'list',
    'audit-verify',
    'lgpd-scan',
    'report-verify',
    'backup list',
    'backup import ARQUIVO',
    'backup compare ID',
    'media move',
    'media scan',
    'copy PASTA',
    'attach PASTA',
    'move-to postgres://',
  ])
    expect(usage).toContain(`\n  ${command}`)
})

test.each([
  [['apagar'], 'Comando desconhecido: apagar.'],
  [['media'], 'Falta o que fazer com os arquivos: move ou scan.'],
  [['media', 'apagar'], 'Comando desconhecido: media apagar.'],
  [['media', 'move', '--to', 'fita'], 'Opção --to: use disk ou s3.'],
  [['media', 'move', '--remove'], 'Opção desconhecida: --remove.'],
  [['media', 'scan', '--to', 's3'], 'Opção desconhecida: --to.'],
  [['media', 'scan', 'agora'], 'Há argumentos a mais.'],
  [['--demo'], 'Falta o comando.'],
  [['create', '--nome', 'Ana'], 'Opção desconhecida: --nome.'],
  [['list', '--role', 'admin'], 'Opção desconhecida: --role.'],
  [['list', '-x'], 'Opção desconhecida: -x.'],
  [['list', '--json=sim'], 'Opção --json: não leva valor.'],
  [['create', '--username'], 'Opção --username: falta o valor.'],
  [['create', '--role', 'chefe'], 'Opção --role: use admin, supervisor, operator.'],
  [['unblock'], 'Falta o USERNAME.'],
  [['reset-password', '  '], 'Falta o USERNAME.'],
  [['list', 'ana'], 'Há argumentos a mais.'],
  [['report-verify', '--from', '2026-11-01'], 'Opção --to: use AAAA-MM-DD.'],
  [['report-verify', '--from', '1/11', '--to', '2026-11-01'], 'Opção --from: use AAAA-MM-DD.'],
  [['report-verify', '--from', '2026-11-02', '--to', '2026-11-01'], 'Opção --to: é anterior a --from.'],
  [['audit-verify', 'tudo'], 'Há argumentos a mais.'],
  [['audit-verify', '--head', '12:abc'], 'Opção --head: use REGISTRO:ELO, como audit-verify o mostra.'],
  [['lgpd-scan'], 'Falta o TELEFONE.'],
  [['lgpd-scan', 'Ana'], 'Falta o TELEFONE.'],
  [['lgpd-scan', '11987654321', 'Ana'], 'Há argumentos a mais.'],
  [['unblock', 'ana', 'bruno'], 'Há argumentos a mais.'],
  [['backup'], 'Falta o que fazer com backups: list, import ou compare.'],
  [['backup', 'apagar'], 'Comando desconhecido: backup apagar.'],
  [['backup', 'list', '3'], 'Há argumentos a mais.'],
  [['backup', 'import'], 'Falta o ARQUIVO.'],
  [['backup', 'import', 'a.tar', '--json'], 'Opção desconhecida: --json.'],
  [['backup', 'compare'], 'Falta o ID.'],
  [['backup', 'compare', 'ontem'], 'O ID é o número que backup list mostra.'],
  [['copy'], 'Falta a PASTA.'],
  [['attach', 'um', 'dois'], 'Há argumentos a mais.'],
  [['move-to'], 'Falta o endereço do banco.'],
  [['move-to', 'http://casa/banco'], 'Use postgres://usuario:senha@servidor:5432/banco.'],
])('the command line %j is refused with exit code 2 and one line', (args, line) => {
  expect(refusal(args)).toEqual({ exitCode: 2, message: `${line} Veja npm run admin -- --help.` })
})

test.each([
  [['create', '--password', 'minha-chave']],
  [['create', '--password=minha-chave']],
  [['reset-password', 'ana', 'minha-chave']],
  [['reset-password', 'ana', '--password-stdin=minha-chave']],
  [['reset-password', 'ana', '--senha=minha-chave']],
  [['move-to', 'mysql://chefe:minha-chave@casa/banco']],
])('a password in %j is refused and not repeated', (args) => {
  const refused = refusal(args)
  expect(refused?.exitCode).toBe(2)
  expect(refused?.message).not.toContain('minha-chave')
})

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
  [['create', '--username', 'elisa', '--role', 'operator'], 'elisa2025'],
  [['create', '--username', 'e.costa', '--name', 'Elisa Costa', '--role', 'supervisor'], 'ElisaCosta!'],
  [['create', '--role', 'operator'], 'Senha@123'],
])('%j with the common password %j is warned of, and refused where it is strict', async (args, password) => {
  const warning = 'Atenção: esta senha é comum e fácil de adivinhar.'
  expect(await prepare(args, password)).toEqual({ refusal: undefined, warnings: [warning] })
  const refusal = 'Senha recusada: é comum e fácil de adivinhar (PASSWORD_STRICT=on).'
  expect(await prepare(args, password, { PASSWORD_STRICT: 'on' })).toEqual({ refusal, warnings: [] })
})

test('a common password of an administrator is refused, unless PASSWORD_STRICT is off', async () => {
  const args = ['create', '--username', 'elisa', '--role', 'admin']
  const refusal =
    'Senha recusada: é comum e fácil de adivinhar. ' +
    'A de um administrador deve ser boa (PASSWORD_STRICT=off desliga).'
  expect(await prepare(args, 'elisa2025')).toEqual({ refusal, warnings: [] })
  expect(await prepare(args, 'elisa2025', { PASSWORD_STRICT: 'off' })).toMatchObject({ refusal: undefined })
})

test('a good password is neither warned of nor refused', async () => {
  expect(await prepare(['create'], testPassword, { PASSWORD_STRICT: 'on' })).toEqual({
    refusal: undefined,
    warnings: [],
  })
})

const piped = (...chunks: (string | Buffer)[]) =>
  readNewPassword(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), new PassThrough())

test.each([
  ['alface-roxa', 'alface-roxa'],
  ['alface-roxa\n', 'alface-roxa'],
  ['alface-roxa\r\n', 'alface-roxa'],
  [' com espaços  \n', ' com espaços  '],
])('a password from a pipe: %j is read as %j', async (given, expected) => {
  expect(await piped(given)).toBe(expected)
})

test('a sign that comes in two pieces stays whole', async () => {
  const bytes = Buffer.from('maçã-verde')
  expect(await piped(bytes.subarray(0, 3), bytes.subarray(3))).toBe('maçã-verde')
})

test.each([
  ['', 'Nenhuma senha veio pela entrada padrão.'],
  ['\n', 'Nenhuma senha veio pela entrada padrão.'],
  ['uma-senha\noutra-senha\n', 'A entrada padrão tem mais de uma linha: passe só a senha.'],
  [Buffer.from([0xff, 0xfe, 0x61]), 'A senha na entrada padrão não está em UTF-8.'],
  ['x'.repeat(70_000), 'A senha na entrada padrão é longa demais.'],
])('a password from a pipe refuses what is no password (%#)', async (given, message) => {
  await expect(piped(given)).rejects.toMatchObject({ message, exitCode: 1 })
})

describe('a password at a terminal', () => {
  /** A terminal with a typing person; `isRaw` says whether the terminal itself would echo. */
  function terminal() {
    const raw: boolean[] = []
    const input = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (isOn: boolean) => raw.push(isOn),
    })
    const output = new PassThrough({ encoding: 'utf8' })
    let shown = ''
    output.on('data', (text: string) => {
      shown += text
      const answer = shown.endsWith(': ') ? answers.shift() : undefined
      if (answer !== undefined) setImmediate(() => input.write(answer))
    })
    let answers: string[] = []
    const type = (...keys: string[]) => {
      answers = keys
      return readNewPassword(input, output)
    }
    return { type, raw, shown: () => shown }
  }

  test('a password at a terminal is asked for twice, and no sign of it is shown', async () => {
    const { type, raw, shown } = terminal()
    expect(await type('alface-roxa\r', 'alface-roxa\r')).toBe('alface-roxa')
    expect(shown()).toBe('Nova senha: \nRepita a senha: \n')
    expect(raw).toEqual([true, false])
  })

  test('a password at a terminal that is typed in two ways is refused', async () => {
    await expect(terminal().type('alface-roxa\r', 'alface-rosa\r')).rejects.toMatchObject({
      message: 'As duas senhas não são iguais: nada foi mudado.',
      exitCode: 1,
    })
  })

  test.each([
    ['Ctrl+C', '\x03'],
    ['Ctrl+D', '\x04'],
  ])('a password at a terminal ends with %s, and gives the terminal back', async (_, key) => {
    const { type, raw } = terminal()
    await expect(type(key)).rejects.toMatchObject({ exitCode: 130 })
    expect(raw).toEqual([true, false])
  })
})
