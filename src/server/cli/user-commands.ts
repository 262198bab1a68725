import type * as z from 'zod/mini'
import type { Role } from '#shared/permissions.ts'
import { accountFields, accountForm } from '#shared/users/accounts.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import {
  findLivingUser,
  isStrictFor,
  createAccount,
  isWeakPassword,
  listAccounts,
  randomPassword,
  resetPassword,
  resetSecondFactorOf,
  unblockAccount,
} from '#server/users/users.ts'
import { getSettings } from '#server/settings/settings.ts'
import { accountTable } from './account-table.ts'
import type { AdminRequest } from './arguments.ts'
import { verifyAudit } from './audit-verify.ts'
import { runDoctor } from './doctor-command.ts'
import { compareWith, importFile, printBackups } from './maintenance/backup-commands.ts'
import { CommandError } from './command-error.ts'
import { copyTo, moveTo } from './maintenance/copy-commands.ts'
import { moveMedia, scanMedia } from './maintenance/media-commands.ts'
import { undo } from './maintenance/undo-command.ts'
import { scanLgpd } from './lgpd-scan.ts'
import { mendPhones } from './phones-command.ts'
import { verifyReport } from './report-verify.ts'
import type { Terminal } from './terminal.ts'

/** The part of a command that needs the database; refusals that do not need it come before. */
export type Work = (database: Database) => Promise<void>

type Of<Command extends AdminRequest['command']> = Extract<AdminRequest, { command: Command }>

/** A command that works on an installation. */
export type InstalledRequest = Exclude<AdminRequest, { command: 'attach' }>

/** @throws CommandError */
export function prepareWork(
  request: InstalledRequest,
  config: Config,
  terminal: Terminal,
  stopRequested: () => boolean,
): Promise<Work> {
  const watched = { config, terminal, stopRequested }
  switch (request.command) {
    case 'create':
      return prepareCreate(request, config, terminal)
    case 'reset-password':
      return prepareReset(request, config, terminal)
    case 'unblock':
      return Promise.resolve((database) => unblock(database, request.username, terminal))
    case 'reset-second-factor':
      return Promise.resolve((database) => forgetSecondFactor(database, request.username, terminal))
    case 'list':
      return Promise.resolve((database) => list(database, request, terminal))
    case 'audit-verify':
      return Promise.resolve((database) => verifyAudit(database, request.noted, terminal))
    case 'lgpd-scan':
      return Promise.resolve((database) => scanLgpd(database, config, request, terminal))
    case 'doctor':
      return Promise.resolve((database) => runDoctor(database, config, { ...request, terminal }))
    case 'phones':
      return Promise.resolve((database) => mendPhones(database, request, watched))
    case 'report-verify':
      return Promise.resolve((database) => verifyReport(database, request, terminal))
    case 'backup-list':
      return Promise.resolve((database) => printBackups(database, request, watched))
    case 'backup-import':
      return Promise.resolve((database) => importFile(database, request, watched))
    case 'backup-compare':
      return Promise.resolve((database) => compareWith(database, request.id, watched))
    case 'media-move':
      return Promise.resolve((database) => moveMedia(database, request.to, watched))
    case 'media-scan':
      return Promise.resolve((database) => scanMedia(database, request, watched))
    case 'copy':
      return Promise.resolve((database) => copyTo(database, request.path, watched))
    case 'undo-upgrade':
      return Promise.resolve((database) => undo(database, request, watched))
    case 'move-to':
      return Promise.resolve((database) => moveTo(database, request.url, watched))
  }
}

async function prepareCreate(request: Of<'create'>, config: Config, terminal: Terminal): Promise<Work> {
  const username = request.username ?? 'admin'
  const given = request.isPasswordGiven ? await terminal.readNewPassword() : undefined
  const account = check(accountForm, {
    username,
    name: request.name ?? (request.username === undefined ? 'Administrador' : username),
    email: request.email?.trim() ?? inventedEmail(username),
    password: given ?? randomPassword(),
    role: request.role,
  })
  const known = [account.username, account.name, account.email]
  if (await isWeakPassword(account.password, known)) refuseOrWarn(account.role, config, terminal)
  return async (database) => {
    const made = await createAccount(database, account, 'command')
    if ('taken' in made)
      throw new CommandError(
        made.taken === 'username'
          ? `Já existe um usuário ${account.username}.`
          : `Já existe um usuário com o e-mail ${account.email}.`,
      )
    terminal.print(`Usuário criado: ${account.username} (${account.email}, ${account.role})`)
    if (given === undefined) printPassword(terminal, account.password)
  }
}

/** The form requires an address; nothing is ever sent to it. */
function inventedEmail(username: string): string {
  const email = `${username.trim().toLowerCase()}@balcao.local`
  const { username: nameRule, email: emailRule } = accountFields
  if (nameRule.safeParse(username).success && !emailRule.safeParse(email).success)
    throw new CommandError('Email inválido: informe --email')
  return email
}

async function prepareReset(
  request: Of<'reset-password'>,
  config: Config,
  terminal: Terminal,
): Promise<Work> {
  const given = request.isPasswordGiven ? await terminal.readNewPassword() : undefined
  const password = check(accountFields.password, given ?? randomPassword())
  const isWeak = await isWeakPassword(password, [request.username])
  if (isWeak && config.strictPasswords === 'of all') refuseOrWarn(undefined, config, terminal)
  return async (database) => {
    if (isWeak) refuseOrWarn((await findLivingUser(database, request.username))?.role, config, terminal)
    const user = await resetPassword(database, request.username, password, 'command')
    if (!user) throw unknownUser(request.username)
    terminal.print(`Senha trocada: ${user.username}. Sessões encerradas: ${user.endedSessions}.`)
    if (given === undefined) printPassword(terminal, password)
    if (user.isBlocked)
      terminal.warn(
        `Atenção: ${user.username} continua sem entrar, porque foi bloqueado por um administrador. ` +
          `Para desbloquear: npm run admin -- unblock ${user.username}`,
      )
    warnInactive(terminal, user)
  }
}

async function unblock(database: Database, named: string, terminal: Terminal): Promise<void> {
  const user = await unblockAccount(database, named, 'command')
  if (!user) throw unknownUser(named)
  const { username, role, wasBlocked, wasLocked, hadAttempts } = user
  if (wasBlocked || (wasLocked && role !== 'admin')) terminal.print(`Usuário desbloqueado: ${username}.`)
  else if (wasLocked) terminal.print(`Bloqueio temporário desfeito: ${username}.`)
  else if (hadAttempts)
    terminal.print(`${username} não estava bloqueado; as tentativas de login foram zeradas.`)
  else terminal.print(`Nada a desfazer: ${username} não está bloqueado.`)
  warnInactive(terminal, user)
}

async function forgetSecondFactor(database: Database, username: string, terminal: Terminal): Promise<void> {
  const had = await resetSecondFactorOf(database, username, 'command')
  if (had === undefined) throw unknownUser(username)
  terminal.print(
    had
      ? `Verificação em duas etapas desativada: ${username}.`
      : `Nada a desfazer: ${username} não usa a verificação em duas etapas.`,
  )
}

async function list(database: Database, request: Of<'list'>, terminal: Terminal): Promise<void> {
  const accounts = await listAccounts(database)
  if (request.isJson) return terminal.print(JSON.stringify(accounts, null, 2))
  const { timezone } = await getSettings(database)
  terminal.print(accountTable(accounts, timezone))
}

function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    throw new CommandError([...new Set(parsed.error.issues.map((issue) => issue.message))].join('; '))
  return parsed.data
}

/** Of a common password. @param role of its owner; undefined for nobody */
function refuseOrWarn(role: Role | undefined, config: Config, terminal: Terminal): void {
  if (config.strictPasswords === 'of all')
    throw new CommandError('Senha recusada: é comum e fácil de adivinhar (PASSWORD_STRICT=on).')
  if (isStrictFor(config, role))
    throw new CommandError(
      'Senha recusada: é comum e fácil de adivinhar. ' +
        'A de um administrador deve ser boa (PASSWORD_STRICT=off desliga).',
    )
  terminal.warn('Atenção: esta senha é comum e fácil de adivinhar.')
}

function printPassword(terminal: Terminal, password: string): void {
  terminal.print(`Senha (mostrada só desta vez): ${password}`)
}

function warnInactive(terminal: Terminal, user: { username: string; isActive: boolean }): void {
  if (!user.isActive) terminal.warn(`Atenção: ${user.username} está inativo e continua sem entrar.`)
}

const unknownUser = (username: string) =>
  new CommandError(`Não existe um usuário ${username.trim()}. Veja npm run admin -- list.`)
