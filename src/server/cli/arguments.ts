import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { type Role, roles } from '#shared/permissions.ts'
import type { ChainHead } from '#server/audit/audit.ts'
import { isConnectionUrl } from '#server/platform/external-postgres/connection-url.ts'
import { type FilePlace, filePlaces } from '#server/schema/installation.ts'
import { dayParam } from '#shared/users/users.ts'
import { wronglyAsked } from './command-error.ts'
import type { ScanRequest } from './lgpd-scan.ts'
import type { PhonesRequest } from './phones-command.ts'

/** A request, validated as far as possible without a database. */
export type AdminRequest = { isDemo: boolean } & (
  | {
      command: 'create'
      username: string | undefined
      name: string | undefined
      email: string | undefined
      role: Role
      isPasswordGiven: boolean
    }
  | { command: 'reset-password'; username: string; isPasswordGiven: boolean }
  | { command: 'unblock' | 'reset-second-factor'; username: string }
  | { command: 'list'; isJson: boolean }
  | { command: 'audit-verify'; noted: ChainHead | undefined }
  | ({ command: 'lgpd-scan' } & ScanRequest)
  | { command: 'report-verify'; startDate: string; endDate: string }
  | { command: 'doctor' | 'backup-list'; isJson: boolean }
  | { command: 'backup-import'; path: string; acceptUnsigned: boolean }
  | { command: 'backup-compare'; id: number }
  | ({ command: 'phones' } & PhonesRequest)
  | { command: 'media-move'; to: FilePlace | undefined }
  | { command: 'media-scan'; isRemoving: boolean; isJson: boolean }
  | { command: 'copy'; path: string }
  | { command: 'attach'; path: string; acceptUnsigned: boolean }
  | { command: 'move-to'; url: string }
  | { command: 'undo-upgrade'; path: string | undefined; isConfirmed: boolean }
)

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const common = { demo: flag, help: { ...flag, short: 'h' } } as const
const withoutCommand = { ...common, version: { ...flag, short: 'v' } } as const

/**
 * Parses the arguments after the program's name.
 * @returns 'help' when it was asked for, or without arguments; 'version' when that was asked for
 * @throws CommandError with exit code 2
 */
export function parseRequest(args: readonly string[]): AdminRequest | 'help' | 'version' {
  const place = args.findIndex((arg) => !arg.startsWith('-'))
  const command = args[place]
  const rest = args.filter((_, index) => index !== place)
  if (command === undefined) {
    const { help, demo, version } = parse(rest, withoutCommand).values
    if (version && !help) return 'version'
    if (help || !demo) return 'help'
    throw wronglyAsked('Falta o comando.')
  }
  switch (command) {
    case 'create':
      return readCreate(rest)
    case 'reset-password': {
      const { values, positionals } = parse(rest, { ...common, 'password-stdin': flag })
      if (values.help) return 'help'
      const isPasswordGiven = values['password-stdin'] ?? false
      return { command, isDemo: values.demo ?? false, username: one(positionals), isPasswordGiven }
    }
    case 'unblock':
    case 'reset-second-factor': {
      const { values, positionals } = parse(rest, common)
      if (values.help) return 'help'
      return { command, isDemo: values.demo ?? false, username: one(positionals) }
    }
    case 'doctor':
    case 'list': {
      const { values, positionals } = parse(rest, { ...common, json: flag })
      if (values.help) return 'help'
      none(positionals)
      return { command, isDemo: values.demo ?? false, isJson: values.json ?? false }
    }
    case 'audit-verify': {
      const { values, positionals } = parse(rest, { ...common, head: text })
      if (values.help) return 'help'
      none(positionals)
      return {
        command,
        isDemo: values.demo ?? false,
        noted: values.head === undefined ? undefined : headIn(values.head),
      }
    }
    case 'lgpd-scan':
      return readScan(rest)
    case 'report-verify': {
      const { values, positionals } = parse(rest, { ...common, from: text, to: text })
      if (values.help) return 'help'
      none(positionals)
      const startDate = dayIn('--from', values.from)
      const endDate = dayIn('--to', values.to)
      if (startDate > endDate) throw wronglyAsked('Opção --to: é anterior a --from.')
      return { command, isDemo: values.demo ?? false, startDate, endDate }
    }
    case 'phones':
      return readPhones(rest)
    case 'backup':
      return readBackup(rest)
    case 'media':
      return readMedia(rest)
    case 'copy': {
      const { values, positionals } = parse(rest, common)
      if (values.help) return 'help'
      return { command, isDemo: values.demo ?? false, path: one(positionals, 'a PASTA') }
    }
    case 'attach': {
      const { values, positionals } = parse(rest, { ...common, unsigned: flag })
      if (values.help) return 'help'
      const path = one(positionals, 'a PASTA')
      return { command, isDemo: values.demo ?? false, path, acceptUnsigned: values.unsigned ?? false }
    }
    case 'move-to': {
      const { values, positionals } = parse(rest, common)
      if (values.help) return 'help'
      const url = one(positionals, 'o endereço do banco')
      if (!isConnectionUrl(url)) throw wronglyAsked('Use postgres://usuario:senha@servidor:5432/banco.')
      return { command, isDemo: values.demo ?? false, url }
    }
    case 'undo-upgrade': {
      const { values, positionals } = parse(rest, { ...common, yes: flag })
      if (values.help) return 'help'
      const path = positionals.length === 0 ? undefined : one(positionals, 'a PASTA')
      return { command, isDemo: values.demo ?? false, path, isConfirmed: values.yes ?? false }
    }
    default:
      throw wronglyAsked(`Comando desconhecido: ${shown(command)}.`)
  }
}

function readCreate(rest: string[]): AdminRequest | 'help' {
  const { values, positionals } = parse(rest, {
    ...common,
    username: text,
    name: text,
    email: text,
    role: text,
    'password-stdin': flag,
  })
  if (values.help) return 'help'
  none(positionals)
  const { username, name, email } = values
  const role = roles.find(
    (known) => known === (values.role ?? (username === undefined ? 'admin' : 'operator')),
  )
  if (!role) throw wronglyAsked(`Opção --role: use ${roles.join(', ')}.`)
  const isPasswordGiven = values['password-stdin'] ?? false
  return { command: 'create', isDemo: values.demo ?? false, username, name, email, role, isPasswordGiven }
}

function readBackup(rest: string[]): AdminRequest | 'help' {
  const { values, positionals } = parse(rest, { ...common, json: flag, unsigned: flag })
  if (values.help) return 'help'
  const [what, ...others] = positionals
  const isDemo = values.demo ?? false
  if (what !== 'list' && values.json) throw wronglyAsked('Opção desconhecida: --json.')
  if (what !== 'import' && values.unsigned) throw wronglyAsked('Opção desconhecida: --unsigned.')
  switch (what) {
    case 'list':
      none(others)
      return { command: 'backup-list', isDemo, isJson: values.json ?? false }
    case 'import':
      return {
        command: 'backup-import',
        isDemo,
        path: one(others, 'o ARQUIVO'),
        acceptUnsigned: values.unsigned ?? false,
      }
    case 'compare': {
      const id = one(others, 'o ID')
      if (!/^\d{1,9}$/.test(id)) throw wronglyAsked('O ID é o número que backup list mostra.')
      return { command: 'backup-compare', isDemo, id: Number(id) }
    }
    case undefined:
      throw wronglyAsked('Falta o que fazer com backups: list, import ou compare.')
    default:
      throw wronglyAsked(`Comando desconhecido: backup ${shown(what)}.`)
  }
}

function readMedia(rest: string[]): AdminRequest | 'help' {
  const { values, positionals } = parse(rest, { ...common, to: text, remove: flag, json: flag })
  if (values.help) return 'help'
  const [what, ...others] = positionals
  none(others)
  const isDemo = values.demo ?? false
  const refuse = (option: 'to' | 'remove' | 'json') => {
    if (values[option] !== undefined) throw wronglyAsked(`Opção desconhecida: --${option}.`)
  }
  switch (what) {
    case 'move': {
      refuse('remove')
      refuse('json')
      const to = filePlaces.find((known) => known === values.to)
      if (values.to !== undefined && !to) throw wronglyAsked('Opção --to: use disk ou s3.')
      return { command: 'media-move', isDemo, to }
    }
    case 'scan':
      refuse('to')
      return {
        command: 'media-scan',
        isDemo,
        isRemoving: values.remove ?? false,
        isJson: values.json ?? false,
      }
    case undefined:
      throw wronglyAsked('Falta o que fazer com os arquivos: move ou scan.')
    default:
      throw wronglyAsked(`Comando desconhecido: media ${shown(what)}.`)
  }
}

function readPhones(rest: string[]): AdminRequest | 'help' {
  const { values, positionals } = parse(rest, { ...common, apply: flag, undo: flag })
  if (values.help) return 'help'
  none(positionals)
  const [isApplying, isUndoing] = [values.apply ?? false, values.undo ?? false]
  if (isApplying && isUndoing) throw wronglyAsked('Use --apply ou --undo, não os dois.')
  return { command: 'phones', isDemo: values.demo ?? false, isApplying, isUndoing }
}

function readScan(rest: string[]): AdminRequest | 'help' {
  const many = { type: 'string', multiple: true } as const
  const { values, positionals } = parse(rest, { ...common, also: many, logs: many })
  if (values.help) return 'help'
  const [phone, ...more] = positionals
  // Any: what is looked for may be a number that nobody could enter now.
  if (phone === undefined || phone.replace(/\D/g, '').length < 8) throw wronglyAsked('Falta o TELEFONE.')
  none(more)
  const also = (values.also ?? []).map((one) => one.trim()).filter((one) => one !== '')
  return { command: 'lgpd-scan', isDemo: values.demo ?? false, phone, also, logs: values.logs ?? [] }
}

function parse<Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // Repeat only the option's name from Node's message: the value after it may be a secret.
    const name = /'(?:-\w, )?(-{1,2}[\w-]+)/.exec(message)?.[1] ?? ''
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
      throw wronglyAsked(
        /does not take/.test(message) ? `Opção ${name}: não leva valor.` : `Opção ${name}: falta o valor.`,
      )
    if (name === '--password')
      throw wronglyAsked('A senha nunca vai na linha de comando: use --password-stdin.')
    throw wronglyAsked(`Opção desconhecida: ${name}.`)
  }
}

function headIn(given: string): ChainHead {
  const [, position, hash] = /^(\d{1,10}):([0-9a-f]{64})$/i.exec(given.trim()) ?? []
  if (position === undefined || hash === undefined)
    throw wronglyAsked('Opção --head: use REGISTRO:ELO, como audit-verify o mostra.')
  return { position: Number(position), hash: hash.toLowerCase() }
}

function dayIn(option: string, given: string | undefined): string {
  const { data } = dayParam.safeParse(given)
  if (data === undefined) throw wronglyAsked(`Opção ${option}: use AAAA-MM-DD.`)
  return data
}

function one(positionals: readonly string[], what = 'o USERNAME'): string {
  const [given, ...more] = positionals
  if (given === undefined || given.trim() === '') throw wronglyAsked(`Falta ${what}.`)
  none(more)
  return given
}

function none(positionals: readonly string[]): void {
  // Do not repeat the arguments: one may be a misplaced password.
  if (positionals.length > 0) throw wronglyAsked('Há argumentos a mais.')
}

const shown = (word: string) => word.replace(/\p{Cc}/gu, '?').slice(0, 60)
