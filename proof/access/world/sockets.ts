import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { LiveFrame } from '#shared/live-events.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { eachOf } from '../../support/two-instances.ts'
import type { Caller } from './people.ts'
import type { World } from './world.ts'

/** The socket of a caller: what it heard, or how its upgrade was refused. */
export interface Ear {
  caller: Caller
  /** The status of a refused upgrade. */
  refused?: number
  frames: LiveFrame[]
  /** The code with which it was closed. */
  closed?: number
  send(frame: unknown): void
  close(): void
}

const patienceMs = 30_000

/** Connects every caller, the instances in turn, and waits until each was refused or greeted. */
export async function listenAll(world: World, callers: readonly Caller[]): Promise<Ear[]> {
  const ears: Ear[] = []
  await eachOf(callers, 16, async (caller, n) => {
    ears[n] = await listen(world.at.apps[n % world.at.apps.length]?.url ?? '', caller)
  })
  return ears
}

function listen(url: string, caller: Caller): Promise<Ear> {
  const { token } = caller
  // A token that is no word cannot be offered as a protocol, and is offered as the other sessions are.
  const isWord = token !== undefined && /^[\w-]+$/.test(token)
  const headers = {
    origin: url,
    ...(token !== undefined && !isWord && { authorization: `Bearer ${token}` }),
  }
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/ws`, isWord ? ['bearer', token] : [], {
    headers,
  })
  const ear: Ear = {
    caller,
    frames: [],
    send: (frame) => socket.send(JSON.stringify(frame)),
    close: () => socket.terminate(),
  }
  return new Promise((resolve, reject) => {
    const patience = setTimeout(
      () => reject(new Error(`${caller.principal.name} was not greeted`)),
      patienceMs,
    )
    const done = () => {
      clearTimeout(patience)
      resolve(ear)
    }
    socket.on('error', () => undefined)
    socket.on('close', (code) => {
      ear.closed = code
      done()
    })
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      ear.refused = response.statusCode ?? 0
      done()
    })
    socket.on('message', (data) => {
      const frame = JSON.parse((data as Buffer).toString('utf8')) as LiveFrame
      ear.frames.push(frame)
      if (frame.type === 'hello') done()
    })
  })
}

/** Waits until everything that has happened so far has reached all sockets that are open. */
export async function untilHeard(world: World, ears: readonly Ear[]): Promise<void> {
  const open = ears.filter(({ refused, closed }) => refused === undefined && closed === undefined)
  const before = new Map(open.map((ear) => [ear, countOf(ear)]))
  // The events of the log arrive in its order, and everybody hears of the settings.
  await inTransaction(world.at.databases[0], async (db) => db.emit({ type: 'settings_changed' }))
  const deadline = performance.now() + patienceMs
  while (open.some((ear) => ear.closed === undefined && countOf(ear) === before.get(ear))) {
    if (performance.now() > deadline) throw new Error('a socket did not hear of the settings')
    await sleep(10)
  }
}

const countOf = ({ frames }: Ear) => frames.filter(({ type }) => type === 'settings_changed').length
