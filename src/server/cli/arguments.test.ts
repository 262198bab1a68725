import { expect, test } from 'vitest'
import { parseRequest } from './arguments.ts'
import { usage } from './usage.ts'
import { CommandError } from './command-error.ts'

const refusal = (args: string[]) => {
  try {
    parseRequest(args)
  } catch (error) {
    if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message }
    throw error
  }
  return undefined
}

test('an administrator is created unless another role is given', () => {
  expect(parseRequest(['create'])).toMatchObject({ command: 'create', role: 'admin', isDemo: false })
  expect(parseRequest(['create', '--role', 'operator', '--demo'])).toMatchObject({
    role: 'operator',
    isDemo: true,
  })
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
  })
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
