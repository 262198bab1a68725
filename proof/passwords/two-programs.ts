import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { openDatabase, type Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import { Program } from '../support/program.ts'
import { send } from '../support/raw-request.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'

/** Two programs on one database, behind a proxy that names the address of each caller. */
export interface TwoPrograms {
  programs: [Program, Program]
  database: Database
  /** @returns the status; a dropped connection has none, and is an error */
  call(program: number, request: LoginCall): Promise<{ status: number; text: string }>
}

interface LoginCall {
  method: 'GET' | 'POST'
  path: string
  address: string
  token?: string
  body?: unknown
}

const patienceMs = 120_000

/** In processes of their own: what one of them counts in its memory, the other does not know. */
export async function startTwoPrograms(defer: (close: () => unknown) => void): Promise<TwoPrograms> {
  const server = await startOwnServer()
  defer(() => server.close())
  await server.query('create role balcao login')
  await server.query('create database balcao owner balcao')
  const url = server.url('balcao', 'balcao')
  const shared = {
    DATABASE_URL: url,
    SECRET_KEY: randomBytes(32).toString('base64url'),
    TRUST_PROXY: 'loopback',
  }
  const programs: Program[] = []
  for (const name of ['um', 'dois']) {
    const { dataDir, remove } = makeTemporaryFolder(`passwords-${name}`)
    defer(remove)
    const program = await Program.start({ args: [], env: { ...shared, DATA_DIR: dataDir } })
    programs.push(program)
    defer(() => program.stop())
  }
  const database = openDatabase({
    connection: { connectionString: url },
    log: createLog('silent'),
    poolSize: 4,
  })
  defer(() => database.close())
  const agent = new Agent({ keepAlive: true })
  defer(() => agent.destroy())
  return {
    programs: programs as [Program, Program],
    database,
    async call(number, { method, path, address, token, body }) {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers: Record<string, string> = { 'x-forwarded-for': address }
      if (text !== undefined) headers['content-type'] = 'application/json'
      if (token !== undefined) headers['authorization'] = `Bearer ${token}`
      const sent = { method, path, headers, body: text }
      const answer = await send(programs[number % 2]?.url ?? '', agent, sent, patienceMs)
      if (typeof answer === 'string') throw new Error(`${method} ${path}: ${answer}`)
      return { status: answer.status, text: answer.body }
    },
  }
}
