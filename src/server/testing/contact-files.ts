import type { ContactImport, ImportMapping, KnownChoice } from '#shared/contacts/contact-imports.ts'
import { type Answer, type Client, eventually, type TestApp } from './test-app.ts'

/** What tests of the import do with files, as a person. */
export interface ContactFiles {
  /** Uploads a file. @param content text, or bytes of any kind */
  upload(content: string | Uint8Array, name?: string): Promise<Answer<ContactImport & { message: string }>>
  read(id: number): Promise<ContactImport>
  act(id: number, what: 'stop' | 'continue' | 'undo'): Promise<Answer<ContactImport & { code: string }>>
  start(
    id: number,
    more?: { mapping?: ImportMapping; known?: KnownChoice },
  ): Promise<Answer<ContactImport & { code: string }>>
  /** Waits until nobody works on it. */
  ended(id: number): Promise<ContactImport>
  /** Uploads a file, starts it and waits for its end. */
  import(
    content: string | Uint8Array,
    more?: { mapping?: ImportMapping; known?: KnownChoice },
  ): Promise<ContactImport>
}

export function contactFiles(t: TestApp, who: Client): ContactFiles {
  const path = (id: number, act = '') => `/api/contacts/imports/${id}${act}`
  const files: ContactFiles = {
    async upload(content, name = 'contatos.csv') {
      const form = new FormData()
      form.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
      const answer = await fetch(`${t.app.url}/api/contacts/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${who.token}` },
        body: form,
      })
      const body = (await answer.json()) as ContactImport & { message: string }
      return { status: answer.status, body, headers: answer.headers }
    },
    read: (id) => who.get<ContactImport>(path(id)),
    act: (id, what) => who.request('POST', path(id, `/${what}`)),
    async start(id, { mapping, known = 'update' } = {}) {
      const chosen = mapping ?? (await files.read(id)).mapping
      return who.request('POST', path(id, '/start'), { mapping: chosen, known })
    },
    ended: (id) =>
      eventually(
        () => files.read(id),
        ({ state }) => state !== 'running' && state !== 'undoing',
        60_000,
      ),
    async import(content, more) {
      const { status, body } = await files.upload(content)
      if (status !== 201) throw new Error(`the file was answered ${status}: ${body.message}`)
      const started = await files.start(body.id, more)
      if (started.status !== 200) throw new Error(`the start was answered ${started.status}`)
      return files.ended(body.id)
    },
  }
  return files
}
