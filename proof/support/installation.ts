import { type Database, openDatabase } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import type { OwnServer } from '#server/testing/servers/own-server.ts'
import { read } from './http.ts'
import { Program } from './program.ts'
import { makeTemporaryFolder } from './throwaway-database.ts'

const admin = { username: 'chefe', password: 'senha-do-chefe-1' }

/** The environment of a program whose first administrator is the one of `signIn`. */
export const adminEnv = {
  ADMIN_USERNAME: admin.username,
  ADMIN_EMAIL: 'chefe@exemplo.com.br',
  ADMIN_PASSWORD: admin.password,
  GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
}

/** A session that has just given the password; without a name, of the first administrator. */
export async function signIn(
  url: string,
  who: { username: string; password: string } = admin,
): Promise<{ token: string; userId: number }> {
  const { token, user } = await read<{ token: string; user: { id: number } }>(`${url}/api/auth/login`, {
    method: 'POST',
    body: who,
  })
  return { token, userId: user.id }
}

/** Gives the password again, which some calls ask for. */
export const confirmation = { password: admin.password }

/** Connects a program's number to a gateway. */
export async function connectNumber(
  url: string,
  token: string,
  gateway: { url: string; apiKey: string; instanceName: string },
): Promise<void> {
  const { apiKey, instanceName, url: baseUrl } = gateway
  const webhookUrl = `${url}/api/webhook/evolution`
  const body = { instanceName, apiKey, baseUrl, webhookUrl, isActive: true }
  await read(`${url}/api/evolution-config`, { method: 'POST', token, body })
  await read(`${url}/api/evolution-config/setup-webhook`, { method: 'POST', token, body: {} })
}

/** An installation in a database and a data folder of its own, and a session of its administrator. */
export interface Installation {
  name: string
  program: Program
  database: Database
  dataDir: string
  token: string
}

/** @param server has a role 'balcao' */
export async function startInstallation(
  server: OwnServer,
  name: string,
  defer: (close: () => unknown) => void,
  env: Record<string, string> = {},
): Promise<Installation> {
  await server.query(`create database ${name} owner balcao`)
  const url = server.url('balcao', name)
  const { dataDir, remove } = makeTemporaryFolder(name)
  defer(remove)
  const program = await Program.start({
    args: [],
    env: { ...adminEnv, DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: 'fatal', ...env },
  })
  defer(() => program.stop())
  const connection = { connectionString: url, options: '-c statement_timeout=0' }
  const database = openDatabase({ connection, log: createLog('silent'), poolSize: 3 })
  defer(() => database.close())
  const { token } = await signIn(program.url)
  return { name, program, database, dataDir, token }
}
