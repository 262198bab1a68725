import { Paperclip } from 'lucide-react'
import { cut } from '#web/ui/cut.ts'
import type { useListbox } from '#web/ui/fields/use-listbox.ts'
import type { TemplateValues } from '#shared/text/template.ts'
import { previewOf, type QuickReply } from './quick-replies.ts'
import { SuggestionList, suggestionLook } from './suggestion-list.tsx'

/** The quick replies that match what follows a slash, above the composer. The focus stays in the text. */
export function QuickReplyList({
  replies,
  values,
  isLoading,
  listbox,
}: {
  replies: readonly QuickReply[]
  /** Of the client, which each is shown with. */
  values: TemplateValues
  isLoading: boolean
  listbox: ReturnType<typeof useListbox>
  /** Its code could not be loaded. */
  onClose: () => void
}) {
  return (
    <SuggestionList title="Respostas rápidas" listbox={listbox}>
      {replies.map((reply, index) => (
        <div
          key={`${reply.shortcut} ${index}`}
          {...listbox.option(index)}
          className={suggestionLook(index === listbox.marked)}
        >
          <span className="w-24 flex-none truncate font-semibold text-accent-text" title={reply.shortcut}>
            /{reply.shortcut}
          </span>
          <span className="min-w-0 flex-1 truncate text-ink-2" dir="auto">
            {reply.text === ''
              ? cut(reply.file?.fileName ?? '')
              : previewOf(cut(reply.text), values).map(({ text, isMissing }, part) =>
                  isMissing ? (
                    <mark
                      key={`${text} ${part}`}
                      title="Sem valor nesta conversa"
                      className="rounded-tag bg-amber-soft px-1 font-medium text-amber-text"
                    >
                      {text}
                    </mark>
                  ) : (
                    text
                  ),
                )}
          </span>
          {reply.file && (
            <Paperclip
              size={14}
              aria-label={`com o arquivo ${cut(reply.file.fileName)}`}
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
    </SuggestionList>
  )
}
