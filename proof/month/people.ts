import { WebSocket } from 'ws'
import { createRandom, type Random } from '#simulator/random.ts'
import { read } from '../support/http.ts'
import { type Company, signIn } from './company.ts'

/** Somebody of the team, signed in with a console open. */
export interface Colleague {
  username: string
  userId: number
  token: string
  socket: WebSocket
  call<Reply>(method: string, path: string, body?: unknown): Promise<Reply>
  /** Uploads a picture. */
  upload<Reply>(method: string, path: string, fields?: Record<string, string>): Promise<Reply>
}

export interface Day {
  day: number
  /** How many clients write. */
  clients: number
  random: Random
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** Of some kilobytes, each another one. */
export const picture = (random: Random) =>
  Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from(`${random()} `.repeat(200))])

let uploads = 0

/** Signs in, and opens a console. */
export async function arrive({ program: { url } }: Company, username: string): Promise<Colleague> {
  const { token, user } = await signIn(url, username)
  const call: Colleague['call'] = (method, path, body) =>
    read(`${url}${path}`, { method, token, ...(body !== undefined && { body }) })
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/ws`, ['bearer', token])
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    username,
    userId: user.id,
    token,
    socket,
    call,
    async upload<Reply>(method: string, path: string, fields: Record<string, string> = {}) {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set(
        'file',
        new Blob([new Uint8Array(picture(createRandom((uploads += 1))))], { type: 'image/png' }),
        'foto.png',
      )
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as Reply
    },
  }
}
