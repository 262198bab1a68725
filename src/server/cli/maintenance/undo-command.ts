import { cipherOf, findUndo, type Undoable, undoUpgrade } from '#server/maintenance/maintenance.ts'
import type { Database } from '#server/platform/database/db.ts'
import { getSettings } from '#server/settings/settings.ts'
import { timesOf } from '#server/cli/account-table.ts'
import { count, inWords, watch, type Watched } from './long-work.ts'

/**
 * Puts the database back to what it was before an upgrade; without a confirmation it says what that would be.
 * @throws CommandError
 */
export async function undo(
  database: Database,
  { path, isConfirmed }: { path: string | undefined; isConfirmed: boolean },
  watched: Watched,
): Promise<void> {
  const { config, terminal } = watched
  const parts = { config, database, cipher: cipherOf(config.backupKey) }
  const found = await inWords(() => findUndo(parts, path))
  const madeAt = timesOf((await getSettings(database)).timezone)(new Date(found.manifest.madeAt))
  const what = `à cópia de ${madeAt}, da versão ${found.tag} (${found.path})`
  if (!isConfirmed) {
    terminal.print(`Volta ${what}.\n${newsSince(found)}`)
    terminal.print('Nada foi mudado. Para voltar, pare o servidor e repita o comando com --yes.')
    return
  }
  const progress = watch(watched, {
    tables: 'Copiando o que há agora…',
    compare: 'Conferindo essa cópia…',
    stage: 'Voltando ao que havia…',
  })
  const { tables, rows, kept } = await inWords(() => undoUpgrade(parts, found, progress))
  terminal.print(
    `O banco voltou ${what}: ${count(tables, 'tabela', 'tabelas')}, ${count(rows, 'linha', 'linhas')}. ` +
      'Tudo confere.\n' +
      (kept === undefined ? '' : `O que havia até agora está em ${kept}.\n`) +
      'Agora inicie a versão anterior: esta o atualizaria de novo. Todos precisam entrar de novo.',
  )
  const { anonymized } = found.since
  if (anonymized > 0)
    terminal.warn(
      `Atenção: ${count(anonymized, 'pessoa anonimizada', 'pessoas anonimizadas')} desde então ` +
        `${anonymized === 1 ? 'voltou' : 'voltaram'} ao banco. Anonimize de novo.`,
    )
}

function newsSince({ since: { conversations, messages, anonymized } }: Undoable): string {
  const talks = count(conversations, 'conversa', 'conversas')
  const lost = `${talks} e ${count(messages, 'mensagem', 'mensagens')}`
  const back =
    anonymized === 0
      ? ''
      : ` ${count(anonymized, 'pessoa anonimizada voltaria', 'pessoas anonimizadas voltariam')} ao banco.`
  return `O que veio depois sairia do banco: ${lost}, e tudo o que foi mudado desde então.${back}`
}
