import { Mic, Paperclip, Zap } from 'lucide-react'
import { type Macro, stepsText } from '#shared/macros/macros.ts'
import { SectorBadge } from '#web/sectors/sectors.tsx'
import { clock } from '#web/media/media.tsx'
import { cut } from '#web/ui/cut.ts'
import type { useListbox } from '#web/ui/fields/use-listbox.ts'
import type { TemplateValues } from '#shared/text/template.ts'
import { previewOf, type QuickReply, type Suggestion } from './quick-replies.ts'
import { SuggestionList, suggestionLook } from './suggestion-list.tsx'

/** The replies and macros matching what follows a slash, above the composer. The focus stays in the text. */
export function QuickReplyList({
  suggestions,
  values,
  isLoading,
  listbox,
}: {
  suggestions: readonly Suggestion[]
  /** Of the client, which each is shown with. */
  values: TemplateValues
  isLoading: boolean
  listbox: ReturnType<typeof useListbox>
  /** Its code could not be loaded. */
  onClose: () => void
}) {
  return (
    <SuggestionList title="Respostas rápidas" listbox={listbox}>
      {suggestions.map(({ reply, macro }, index) => (
        <div
          key={reply?.key ?? `macro ${macro?.id}`}
          {...listbox.option(index)}
          className={suggestionLook(index === listbox.marked)}
        >
          <span
            className="w-24 flex-none truncate font-semibold text-accent-text"
            title={(reply ?? macro)?.shortcut}
          >
            /{(reply ?? macro)?.shortcut}
          </span>
          {reply && <ReplyDetails reply={reply} values={values} />}
          {macro && <MacroDetails macro={macro} />}
        </div>
      ))}
      {suggestions.length === 0 && (
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

const nameOf = ({ file }: QuickReply) =>
  file?.voiceSeconds === undefined ? cut(file?.fileName ?? '') : 'Mensagem de voz'

function ReplyDetails({ reply, values }: { reply: QuickReply; values: TemplateValues }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate text-ink-2" dir="auto">
        {reply.text === ''
          ? nameOf(reply)
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
      {reply.sectorId === null ? (
        <span className="flex-none text-xs text-ink-3">Só eu</span>
      ) : (
        reply.sectorId !== undefined && <SectorBadge sectorId={reply.sectorId} className="max-w-28" />
      )}
      {reply.file?.voiceSeconds !== undefined && (
        <span className="inline-flex flex-none items-center gap-1 text-xs text-ink-2 tabular-nums">
          <Mic size={14} aria-label="mensagem de voz" className="text-ink-3" />
          {clock(reply.file.voiceSeconds)}
        </span>
      )}
      {reply.file && reply.file.voiceSeconds === undefined && (
        <Paperclip
          size={14}
          aria-label={`com o arquivo ${cut(reply.file.fileName)}`}
          className="flex-none text-ink-3"
        />
      )}
    </>
  )
}

function MacroDetails({ macro: { name, stepCount } }: { macro: Macro }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate" dir="auto">
        {name}
      </span>
      <span className="flex flex-none items-center gap-1 text-xs text-ink-3">
        <Zap size={12} aria-hidden />
        macro, {stepsText(stepCount)}
      </span>
    </>
  )
}
