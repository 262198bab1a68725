import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { cancelled, CommandError } from './command-error.ts'

const mostBytes = 64 * 1024

/** Standard input, or a test's replacement. */
type Input = NodeJS.ReadableStream & { isTTY?: boolean }

/**
 * Reads a new password: from a pipe its only line, with or without a line break; at a terminal asked twice,
 * without echo.
 * @throws CommandError
 */
export async function readNewPassword(input: Input, output: NodeJS.WritableStream): Promise<string> {
  return input.isTTY ? askTwice(input, output) : readLine(input)
}

async function readLine(input: Input): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (size > mostBytes) throw new CommandError('A senha na entrada padrão é longa demais.')
  }
  const line = decode(Buffer.concat(chunks)).replace(/\r?\n$/, '')
  if (line === '') throw new CommandError('Nenhuma senha veio pela entrada padrão.')
  if (/[\r\n]/.test(line)) throw new CommandError('A entrada padrão tem mais de uma linha: passe só a senha.')
  return line
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError('A senha na entrada padrão não está em UTF-8.')
  }
}

async function askTwice(input: Input, output: NodeJS.WritableStream): Promise<string> {
  // As the terminal's reader it disables the terminal's echo; its own output is discarded.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 })
  const stop = new AbortController()
  lines.on('SIGINT', () => stop.abort())
  lines.on('close', () => stop.abort())
  const ask = async (question: string) => {
    output.write(question)
    try {
      return await lines.question('', { signal: stop.signal })
    } catch (error) {
      if (stop.signal.aborted) throw cancelled()
      throw error
    } finally {
      output.write('\n')
    }
  }
  try {
    const first = await ask('Nova senha: ')
    const again = await ask('Repita a senha: ')
    if (first !== again) throw new CommandError('As duas senhas não são iguais: nada foi mudado.')
    return first
  } finally {
    lines.close()
  }
}
