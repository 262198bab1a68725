import { Paperclip } from 'lucide-react'
import { cn } from '#web/ui/cn.ts'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import type { useListbox } from '#web/ui/fields/use-listbox.ts'
import type { QuickReply } from './quick-replies.ts'

/** The quick replies that match what follows a slash, above the composer. The focus stays in the text. */
export function QuickReplyList({
  replies,
  isLoading,
  listbox,
}: {
  replies: readonly QuickReply[]
  isLoading: boolean
  listbox: ReturnType<typeof useListbox>
}) {
  return (
    <div
      className={[
        'animate-pop absolute bottom-full left-2 z-20 mb-2 w-[min(400px,calc(100%-16px))]',
        'overflow-hidden rounded-card bg-surface shadow-float md:left-3',
      ].join(' ')}
    >
      <p className="flex items-center justify-between gap-2 px-3 pt-2 pb-1 text-xs text-ink-3">
        <span>Respostas rápidas</span>
        <span aria-hidden className="max-md:hidden">
          <KeyCap>↑</KeyCap> <KeyCap>↓</KeyCap> escolhe <KeyCap>Enter</KeyCap> usa
        </span>
      </p>
      <div
        {...listbox.list}
        tabIndex={-1}
        aria-label="Respostas rápidas"
        className="max-h-60 overflow-y-auto p-1"
      >
        {replies.map((reply, index) => (
          <div
            key={`${reply.shortcut} ${index}`}
            {...listbox.option(index)}
            className={cn(
              'flex min-h-8 cursor-pointer items-center gap-3 rounded-[7px] px-2 text-sm hover:bg-hover',
              index === listbox.marked && 'bg-selected',
            )}
          >
            <span className="w-24 flex-none truncate font-semibold text-accent-text" title={reply.shortcut}>
              /{reply.shortcut}
            </span>
            <span className="min-w-0 flex-1 truncate text-ink-2" dir="auto">
              {reply.text || reply.file?.fileName}
            </span>
            {reply.file && (
              <Paperclip
                size={14}
                aria-label={`com o arquivo ${reply.file.fileName}`}
                className="flex-none text-ink-3"
              />
            )}
          </div>
        ))}
        {replies.length === 0 && (
          <div
            role="option"
            tabIndex={-1}
            aria-selected={false}
            aria-disabled
            className="px-2 py-1.5 text-sm text-ink-2"
          >
            {isLoading ? 'Carregando…' : 'Nenhuma resposta encontrada'}
          </div>
        )}
      </div>
    </div>
  )
}
