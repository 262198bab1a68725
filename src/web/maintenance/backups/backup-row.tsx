import { Download, RotateCcw, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { useDownloadBackup } from '#web/maintenance/queries.ts'
import { counted, figure, listed, sizeText } from '#web/maintenance/words.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { authorBelowLook, authorLook, countLook } from './backup-table.tsx'
import { StatusBadge } from './status-badge.tsx'

const cellLook = 'px-2 py-1.5 max-md:block max-md:p-0 md:h-10 md:first:pl-4 md:last:pr-3'
const factLook = `${cellLook} whitespace-nowrap tabular-nums max-md:text-xs max-md:text-ink-2`

const wordLook = 'md:@max-[860px]:sr-only'

/** A backup. Only of a completed one there is something to download or to restore. */
export function BackupRow({
  backup,
  dates,
  isLocked,
  onRestore,
  onDelete,
}: {
  backup: Backup
  dates: ZonedDates
  /** Something works on the data. */
  isLocked: boolean
  onRestore: () => void
  onDelete: () => void
}) {
  const { id, name, status, size, conversationsCount, error, createdAt } = backup
  const nameId = useId()
  const { mutate: download, isPending } = useDownloadBackup()
  const isCompleted = status === 'completed'
  return (
    <tr
      className={[
        'border-t border-line text-sm md:hover:bg-hover',
        'max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3 max-md:gap-y-1',
        'max-md:px-4 max-md:py-3 max-md:first:border-t-0',
      ].join(' ')}
    >
      <th scope="row" className={`${cellLook} text-left font-medium max-md:w-full`}>
        <span id={nameId} className="block truncate" title={name} dir="auto">
          {name}
        </span>
        <Marks backup={backup} />
      </th>
      <td className={`${cellLook} max-md:w-full`}>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <StatusBadge status={status} />
          <Losses proof={backup.proof} />
          {error !== null && <span className="text-xs text-ink-2 [overflow-wrap:anywhere]">{error}</span>}
        </div>
      </td>
      <Fact className={countLook}>
        {isCompleted && (
          <>
            {figure(conversationsCount)}
            <span className="md:hidden"> {conversationsCount === 1 ? 'conversa' : 'conversas'}</span>
          </>
        )}
      </Fact>
      <Fact>{isCompleted && size !== null && sizeText(size)}</Fact>
      <td className={`${factLook} text-ink-2`}>
        <time dateTime={createdAt}>{dates.dateTime(createdAt)}</time>
        <span
          className={`truncate text-xs text-ink-3 ${authorBelowLook}`}
          title={authorOf(backup)}
          dir="auto"
        >
          {authorOf(backup)}
        </span>
      </td>
      <td className={`${cellLook} min-w-0 text-ink-2 max-md:text-xs ${authorLook}`}>
        <span className="block truncate" title={authorOf(backup)} dir="auto">
          {authorOf(backup)}
        </span>
      </td>
      <td className={`${cellLook} max-md:w-full`}>
        {status !== 'processing' && (
          <div className="flex items-center justify-end gap-0.5 max-md:-ml-2.5 max-md:justify-start">
            {isCompleted && (
              <>
                <Button
                  variant="ghost"
                  size="sm"
                  icon={Download}
                  title="Download"
                  aria-describedby={nameId}
                  isBusy={isPending}
                  onClick={() => download(id)}
                >
                  <span className={wordLook}>Download</span>
                </Button>
                <Button
                  variant="ghost"
                  size="sm"
                  icon={RotateCcw}
                  title="Restaurar"
                  aria-describedby={nameId}
                  disabled={isLocked}
                  onClick={onRestore}
                >
                  <span className={wordLook}>Restaurar</span>
                </Button>
              </>
            )}
            <IconButton
              size="sm"
              tone="danger"
              icon={Trash2}
              label={`Apagar ${name}`}
              disabled={isLocked}
              onClick={onDelete}
            />
          </div>
        )}
      </td>
    </tr>
  )
}

/** A figure that is only known at the end: in a table a dash stands for it, on a card nothing. */
function Fact({ className, children }: { className?: string; children: ReactNode }) {
  return children === false ? (
    <td className={cn(cellLook, 'text-right text-ink-3 max-md:hidden', className)}>–</td>
  ) : (
    <td className={cn(factLook, 'md:text-right', className)}>{children}</td>
  )
}

/** What else there is to say of a backup, and what was read back of it. */
function Marks({ backup: { isEncrypted, isUnsigned, isImported, proof } }: { backup: Backup }) {
  const marks = [
    proof && 'conferido',
    isEncrypted && 'cifrado',
    isUnsigned && 'sem assinatura',
    isImported && 'importado',
  ].filter((mark) => typeof mark === 'string')
  if (marks.length === 0) return null
  return (
    <span className="block text-xs font-normal text-ink-3" title={proof ? proofText(proof) : undefined}>
      {listed(marks)}
    </span>
  )
}

/** Files that a backup does not have as they should be: they were lost before. */
function Losses({ proof }: { proof: Backup['proof'] }) {
  if (!proof || proof.missingFiles + proof.damagedFiles === 0) return null
  const parts = [
    proof.missingFiles > 0 && counted(proof.missingFiles, 'arquivo em falta', 'arquivos em falta'),
    proof.damagedFiles > 0 && counted(proof.damagedFiles, 'arquivo danificado', 'arquivos danificados'),
  ]
  return <span className="text-xs text-amber-text">{listed(parts.filter((part) => part !== false))}</span>
}

/** '32 tabelas, 194.641 linhas e 12.391 arquivos restaurados à parte e comparados' */
function proofText({ tables, rows, files }: NonNullable<Backup['proof']>): string {
  const parts = [
    counted(tables, 'tabela', 'tabelas'),
    counted(rows, 'linha', 'linhas'),
    counted(files, 'arquivo', 'arquivos'),
  ]
  return `${listed(parts)} restaurados à parte e comparados`
}

const authorOf = ({ createdBy, isImported }: Backup): string =>
  createdBy ?? (isImported ? 'Importado' : 'Agenda')
