import sax from 'sax'
import { Unreadable } from './refusal.ts'

/** What a part says, element by element. Names are without prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/**
 * Parses a part as a stream: nothing of it is kept, names and attributes have at most 64 KiB, and entities of
 * a document type are unknown. Yields after each piece, so that the caller can pass on what it has gathered.
 * @throws Unreadable when it is no XML
 */
export async function* parseXml(
  bytes: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parser = sax.parser(true)
  let isAtElement = false
  parser.onopentag = ({ name, attributes }) => {
    isAtElement = true
    handlers.open?.(withoutPrefix(name), attributes as Record<string, string>)
  }
  parser.onclosetag = (name) => handlers.close?.(withoutPrefix(name))
  parser.ontext = (text) => handlers.text?.(text)
  parser.oncdata = (text) => handlers.text?.(text)
  parser.onerror = (error) => {
    throw error
  }
  const passOn = (work: () => void) => {
    try {
      work()
    } catch (error) {
      throw error instanceof Unreadable ? error : new Unreadable({ name: 'noWorkbook' })
    }
  }
  for await (const chunk of bytes) {
    passOn(() => parser.write(decoder.decode(chunk, { stream: true })))
    yield
  }
  passOn(() => parser.write(decoder.decode()).close())
  if (!isAtElement) throw new Unreadable({ name: 'noWorkbook' })
  yield
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)
