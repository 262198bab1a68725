import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'

/** What it hears: it understands no sounds, and says the same of the same one. */
const sentences = [
  'Oi, bom dia! Queria saber se vocês ainda têm o café da Serra em grão, aquele de um quilo.',
  'Meu pedido ainda não chegou. O rastreio diz que saiu para entrega ontem de manhã.',
  'Pode mandar a segunda via do boleto, por favor? O vencimento é amanhã.',
  'Obrigada! Ficou combinado então, passo aí para buscar no sábado, antes do meio-dia.',
  'Consegue trocar o endereço da entrega? Agora é Rua das Flores, número cento e vinte.',
]

/** By it the demonstration knows that nobody has entered a server of their own. */
const model = 'demonstracao'
/** A sound of the console is not larger. */
const mostBytes = 32 * 1_048_576

export interface TranscriptionServer {
  port: number
  close(): Promise<void>
}

/** A small server of the OpenAI transcription contract, on this machine alone. */
export async function startDemoTranscription(): Promise<TranscriptionServer> {
  const server = createServer((request, response) => {
    void heard(request).then(
      (text) => {
        const isAsked = request.method === 'POST' && request.url === '/v1/audio/transcriptions'
        response.writeHead(isAsked ? 200 : 404, { 'content-type': 'application/json' })
        response.end(JSON.stringify(isAsked ? { text } : { error: 'not found' }))
      },
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function heard(request: IncomingMessage): Promise<string> {
  const type = request.headers['content-type'] ?? ''
  const boundary = /boundary=(\S+)/.exec(type)?.[1] ?? ''
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > mostBytes) throw new Error('too large')
    parts.push(part)
  }
  // It differs each time.
  const form = Buffer.concat(parts).toString('latin1').replaceAll(boundary, '')
  const hash = createHash('sha256').update(form, 'latin1').digest()
  return sentences[hash.readUInt32BE() % sentences.length] ?? ''
}

/** Enters its address, unless there is another one: it is off, and works as soon as it is switched on. */
export async function offerTranscription(database: Database, { port }: TranscriptionServer): Promise<void> {
  await database.execute(sql`
    insert into gpt_maker_config as g (id, transcription_base_url, transcription_model)
    values (1, ${`http://127.0.0.1:${port}/v1`}, ${model})
    on conflict (id) do update set transcription_base_url = excluded.transcription_base_url,
                                   transcription_model = excluded.transcription_model
      where g.transcription_model in ('', ${model})`)
}
