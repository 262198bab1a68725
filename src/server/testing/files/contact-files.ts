import type { ContactImport, ImportMapping, KnownChoice } from '#shared/contacts/contact-imports.ts'
import { type Client, eventually, formOf } from '#server/testing/test-app.ts'

interface Choice {
  mapping?: ImportMapping
  known?: KnownChoice
}

/** What tests of the import do with files, as a person. */
export function contactFiles(who: Client) {
  const path = (id: number, act = '') => `/api/contacts/imports/${id}${act}`
  const read = (id: number) => who.get<ContactImport>(path(id))
  const act = (id: number, what: 'stop' | 'continue' | 'undo' | 'start', body?: object) =>
    who.request<ContactImport & { code: string }>('POST', path(id, `/${what}`), body)
  /** Uploads a file. @param content text, or bytes of any kind */
  const upload = (content: string | Uint8Array, name = 'contatos.csv') => {
    const bytes = typeof content === 'string' ? content : new Uint8Array(content)
    const form = formOf({}, name, bytes)
    return who.request<ContactImport & { message: string }>('POST', '/api/contacts/import', form)
  }
  const start = async (id: number, { mapping, known = 'update' }: Choice = {}) =>
    act(id, 'start', { mapping: mapping ?? (await read(id)).mapping, known })
  /** Waits until nobody works on it. */
  const ended = (id: number) =>
    eventually(
      () => read(id),
      ({ state }) => state !== 'running' && state !== 'undoing',
      60_000,
    )
  return {
    upload,
    read,
    act,
    start,
    ended,
    /** Uploads a file, starts it and waits for its end. */
    async import(content: string | Uint8Array, choice?: Choice): Promise<ContactImport> {
      const { status, body } = await upload(content)
      if (status !== 201) throw new Error(`the file was answered ${status}: ${body.message}`)
      const started = await start(body.id, choice)
      if (started.status !== 200) throw new Error(`the start was answered ${started.status}`)
      return ended(body.id)
    },
  }
}
