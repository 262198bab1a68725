import { EyeOff } from 'lucide-react'
import { SuggestionList, suggestionLook } from '#web/conversations/chat/composer/suggestion-list.tsx'
import { SectorDot } from '#web/sectors/sectors.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import type { useListbox } from '#web/ui/fields/use-listbox.ts'
import { PresenceMark } from '#web/users/users.tsx'
import type { MentionOption } from './find-mentionable.ts'

/** Who can be mentioned, above the note; those who do not see the conversation are greyed. */
export function MentionList({
  options,
  listbox,
  state,
}: {
  /** Those that can be chosen first. */
  options: readonly MentionOption[]
  listbox: ReturnType<typeof useListbox>
  state: 'loading' | 'failed' | undefined
}) {
  return (
    <SuggestionList title="Mencionar" hint="@nome ou @setor" listbox={listbox}>
      {options.map((option, index) => {
        const { mention, isOffered } = option
        const key = `${mention.userId ?? 'sector'} ${mention.sectorId}`
        if (isOffered)
          return (
            <div key={key} {...listbox.option(index)} className={suggestionLook(index === listbox.marked)}>
              <Shown option={option} />
            </div>
          )
        return (
          <div
            key={key}
            role="option"
            tabIndex={-1}
            aria-selected={false}
            aria-disabled
            onPointerDown={(event) => event.preventDefault()}
            className="flex min-h-8 items-center gap-3 px-2 text-sm text-ink-3"
          >
            <EyeOff aria-hidden size={14} className="mx-[5px] flex-none" />
            <span className="min-w-0 flex-1 truncate">{mention.name}</span>
            <span className="flex-none text-xs">não vê esta conversa</span>
          </div>
        )
      })}
      {state && (
        <div
          role="option"
          tabIndex={-1}
          aria-selected={false}
          aria-disabled
          className="px-2 py-1.5 text-sm text-ink-2"
        >
          {state === 'loading' ? 'Carregando…' : 'Não foi possível carregar a equipe'}
        </div>
      )}
    </SuggestionList>
  )
}

function Shown({ option: { mention, pictureUrl, presence, color, available } }: { option: MentionOption }) {
  if (color === undefined)
    return (
      <>
        <Avatar name={mention.name} src={pictureUrl} size={24} />
        <span className="min-w-0 flex-1 truncate">{mention.name}</span>
        <span className="flex-none text-xs text-ink-3">{presence && <PresenceMark of={{ presence }} />}</span>
      </>
    )
  return (
    <>
      <span className="grid size-6 flex-none place-items-center">
        <SectorDot color={color} />
      </span>
      <span className="min-w-0 flex-1 truncate">{mention.name}</span>
      <span className="flex-none text-xs text-ink-3">{availableText(available ?? 0)}</span>
    </>
  )
}

function availableText(available: number): string {
  if (available === 0) return 'ninguém disponível agora'
  return available === 1 ? '1 pessoa disponível' : `${available} pessoas disponíveis`
}
