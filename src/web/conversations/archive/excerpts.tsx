import { ArrowRight, Lock, Paperclip } from 'lucide-react'
import { Link } from 'wouter'
import type { ArchivedRow } from '#shared/conversations/archive.ts'
import { unknownContact } from '#shared/text/text.ts'
import { shortDate } from '#web/platform/live/server-clock.ts'
import { plainWithMarks } from '#web/ui/rich-text/plain-text.ts'
import { writerOf } from '#web/conversations/rows/sender-name.ts'
import { addressOf } from './addresses.ts'
import { Marked } from './marked.tsx'

/** The messages in which something was found, each with a way to it. */
export function Excerpts({ row, search }: { row: ArchivedRow; search: string }) {
  const { id, contact, hits, hitCount } = row
  if (hits.length === 0) return null
  return (
    <ul
      aria-label="Trechos encontrados"
      className={[
        'relative col-span-full mt-1 overflow-hidden rounded-control border border-line bg-sunken',
        'md:ml-[54px]',
      ].join(' ')}
    >
      {hits.map((hit, at) => (
        <li key={hit.messageId} className="border-line not-first:border-t">
          <Link
            href={addressOf(id, { messageId: hit.messageId, search })}
            className={[
              'grid min-h-9 items-center gap-x-3 px-3 py-1.5 text-sm hover:bg-hover',
              'grid-cols-[minmax(0,1fr)_auto] focus-visible:-outline-offset-2',
              'md:grid-cols-[180px_minmax(0,1fr)_auto]',
            ].join(' ')}
          >
            <span className="flex min-w-0 gap-1 text-xs text-ink-3 max-md:col-span-full">
              <span className="truncate" dir="auto">
                {writerOf(hit, contact.name || unknownContact)}
              </span>
              <span className="flex-none tabular-nums">· {shortDate(hit.sentAt)}</span>
            </span>
            <span className="flex min-w-0 items-center gap-1.5 text-ink-2">
              {hit.isNote && (
                <Lock aria-label="Nota interna" size={14} className="flex-none text-yellow-text" />
              )}
              {hit.isFile && <Paperclip aria-label="Arquivo" size={14} className="flex-none" />}
              <span className="truncate" dir="auto">
                <Marked {...plainWithMarks(hit.text, hit.marks)} />
              </span>
            </span>
            <span className="flex items-center gap-2.5 whitespace-nowrap">
              {at === hits.length - 1 && hitCount > hits.length && (
                <span className="text-xs text-ink-3 tabular-nums max-md:hidden">
                  {hitCount - hits.length === 1 ? 'mais 1 trecho' : `mais ${hitCount - hits.length} trechos`}
                </span>
              )}
              <span className="flex items-center gap-1.5 font-medium text-accent-text">
                <span className="max-md:sr-only">Ir para a mensagem</span>
                <ArrowRight aria-hidden size={14} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
