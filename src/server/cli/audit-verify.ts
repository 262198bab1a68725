import { faultText } from '#shared/text/audit/fault-texts.ts'
import { type ChainHead, verifyChain } from '#server/audit/audit.ts'
import type { Database } from '#server/platform/database/db.ts'
import { CommandError } from './command-error.ts'
import type { Terminal } from './terminal.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('pt-BR')} ${n === 1 ? one : many}`

/**
 * Checks the whole chain of the audit log and prints every break as it is found.
 * @param noted an end of the chain that was noted before
 * @throws CommandError when there is a break
 */
export async function verifyAudit(
  database: Database,
  noted: ChainHead | undefined,
  terminal: Terminal,
): Promise<void> {
  const { sealed, unsealed, erased, outOfTime, head, breaks } = await verifyChain(
    database,
    ({ position, id, kind, to }) =>
      terminal.print(`${faultText(kind, position, to)}${id === null ? '' : ` (id ${id})`}`),
    noted,
  )
  const personal = erased > 0 ? `, ${erased.toLocaleString('pt-BR')} com dados pessoais apagados` : ''
  terminal.print(`Auditoria: ${count(sealed, 'registro', 'registros')} na corrente${personal}.`)
  if (unsealed > 0) terminal.print(`Ainda fora da corrente: ${count(unsealed, 'registro', 'registros')}.`)
  terminal.print(
    head ? `Fim da corrente: ${head.position}:${head.hash}` : 'Fim da corrente: não está guardado.',
  )
  if (outOfTime > 0)
    terminal.warn(
      `Atenção: ${count(outOfTime, 'registro tem', 'registros têm')} horário mais antigo que o de um ` +
        'registro anterior. O relógio do banco foi atrasado, ou houve inserção no banco.',
    )
  if (breaks > 0)
    throw new CommandError(
      `A auditoria foi alterada fora do Balcão: ${count(breaks, 'falha', 'falhas')}. ` +
        'Guarde um backup antes de mexer; veja docs/operations.md.',
    )
  terminal.print('Tudo confere.')
}
