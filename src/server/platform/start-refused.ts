import { once } from 'node:events'
import { createServer } from 'node:net'

/** Refuses a start; its message is one clear line for the terminal. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}

/** Turns an address that cannot be listened on into one clear line; returns other errors unchanged. */
export function refusedAddress(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new StartRefused(`A porta ${port} já está em uso: encerre o outro programa ou escolha outra PORT.`)
  if (code === 'EACCES')
    return new StartRefused(`Sem permissão para a porta ${port}: escolha em PORT uma a partir de 1024.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartRefused(`Esta máquina não tem o endereço ${host}: confira HOST.`)
  return error
}

/** Listens on an address for a moment, so that nothing else is begun in vain. @throws StartRefused */
export async function tryAddress(address: { host: string; port: number }): Promise<void> {
  const server = createServer()
  try {
    server.listen(address)
    await once(server, 'listening')
  } catch (error) {
    throw refusedAddress(error, address)
  }
  server.close()
  await once(server, 'close')
}
