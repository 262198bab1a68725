import { RotateCcw, SendHorizontal } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { type ChoiceMessage, type MenuOffered, replayChoice } from '#shared/choice.ts'
import { mostOptions, withMenu } from '#shared/sectors/sector-menu.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { useMe } from '#web/users/users.tsx'
import { previewOf, sampleValues } from '#web/settings/fields/texts.ts'

interface Line {
  from: 'client' | 'us' | 'note'
  text: string
}

const greeting: readonly string[] = ['Oi, bom dia!']
/** Each message advances the phone's clock, so that no reply is skipped for coming too soon. */
const betweenMs = 30_000

/** A client's phone: typed messages are answered by the same rules as on the server. */
export function DialoguePhone() {
  const { watch } = useFormContext<SystemSettings>()
  const me = useMe()
  const [texts, setTexts] = useState(greeting)
  const [draft, setDraft] = useState('')
  const values = sampleValues(me.name)
  const menu = useMenu(watch('sectorMenuEnabled'), watch('sectorMenuCancel'))
  const sent = (reply: string) => {
    if (!menu || reply === 'preAttendanceCancelMessage') return watch(reply as 'preAttendanceMessage')
    const isFirst = reply === 'preAttendanceMessage'
    return withMenu(watch(isFirst ? 'sectorMenuMessage' : 'sectorMenuInvalidMessage'), menu)
  }
  const lines = dialogueOf(texts, watch('preAttendanceMessage'), menu).map((line) =>
    line.from === 'us' ? { ...line, text: previewOf(sent(line.text), values) } : line,
  )
  const shown = lines.filter(({ text }) => text.trim() !== '')

  const addText = (text: string) => {
    if (text.trim() === '') return
    setTexts([...texts, text])
    setDraft('')
  }
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = end.current?.parentElement
    if (box) box.scrollTop = box.scrollHeight
  }, [texts.length])

  const onEnter = (event: { key: string; preventDefault: () => void }) => {
    if (event.key !== 'Enter') return
    // It is inside the settings form and must not submit it.
    event.preventDefault()
    addText(draft)
  }

  return (
    <section
      aria-label="Celular do cliente"
      className={[
        'flex h-[420px] w-full max-w-[340px] flex-col overflow-hidden',
        'rounded-[24px] border border-line-strong bg-surface shadow-float',
      ].join(' ')}
    >
      <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-4">
        <p className="min-w-0 flex-1 truncate text-sm font-semibold">Sua empresa</p>
        <IconButton
          icon={RotateCcw}
          size="sm"
          label="Recomeçar a conversa"
          onClick={() => setTexts(greeting)}
        />
      </header>
      <div
        role="log"
        aria-label="Diálogo"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region needs focus
        tabIndex={0}
        className="thin-scroll flex-1 overflow-y-auto bg-thread p-3"
      >
        {shown.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a dialogue only grows
          <Bubble key={index} {...line} />
        ))}
        <div ref={end} />
      </div>
      <div className="flex shrink-0 items-center gap-1.5 border-t border-line p-2">
        <Input
          aria-label="Mensagem do cliente"
          placeholder="Mensagem"
          value={draft}
          onChange={(event: FormEvent<HTMLInputElement>) => setDraft(event.currentTarget.value)}
          onKeyDown={onEnter}
          autoComplete="off"
        />
        {digitsOf(menu).map((digit) => (
          <Button key={digit} onClick={() => addText(digit)} aria-label={`Responder ${digit}`}>
            {digit}
          </Button>
        ))}
        <IconButton
          icon={SendHorizontal}
          label="Enviar como cliente"
          tone="accent"
          disabled={draft.trim() === ''}
          onClick={() => addText(draft)}
        />
      </div>
    </section>
  )
}

/** The answers that one press gives; there is room for four, others are typed. */
function digitsOf(menu: MenuOffered | undefined): string[] {
  if (!menu) return ['1', '2']
  const sectors = menu.options.map((_, index) => String(index + 1))
  return [...sectors.slice(0, 3), ...(menu.hasCancel ? ['0'] : [])]
}

/** The menu of the sectors that there are, all of them open; undefined where it is not offered. */
function useMenu(isOn: boolean, hasCancel: boolean): MenuOffered | undefined {
  const options = useSectors()
    .living.filter(({ isActive }) => isActive)
    .slice(0, mostOptions)
    .map(({ id, name, description }) => ({ sectorId: id, name, description, opensAt: null }))
  return isOn && options.length > 1 ? { options, known: options, hasCancel } : undefined
}

function Bubble({ from, text }: Line) {
  if (from === 'note') return <p className="my-2 text-center text-xs text-ink-3">{text}</p>
  return (
    <div
      className={cn(
        'mb-1.5 w-fit max-w-[85%] rounded-bubble px-2.5 pt-[7px] pb-1.5 text-base',
        from === 'client'
          ? 'ml-auto rounded-br-[4px] bg-own'
          : 'rounded-bl-[4px] border border-line bg-surface',
      )}
    >
      <RichText text={text} />
    </div>
  )
}

/** The phone's chat after these messages; automatic texts are given by the name of their setting. */
function dialogueOf(texts: readonly string[], question: string, menu: MenuOffered | undefined): Line[] {
  if (!menu && showsNothing(question)) {
    const said = texts.map((text): Line => ({ from: 'client', text }))
    return [...said.slice(0, 1), { from: 'note', text: 'O cliente entra direto na fila' }, ...said.slice(1)]
  }
  const messages = texts.map((content, index): ChoiceMessage => ({
    id: index + 1,
    content,
    writtenAt: new Date(index * betweenMs),
    isRecovered: false,
  }))
  return messages.flatMap(({ content }, index): Line[] => {
    const upTo = (end: number) => replayChoice(messages.slice(0, end), question, {}, 0, menu).at(-1)
    const [before, now] = [upTo(index), upTo(index + 1)]
    const lines: Line[] = [{ from: 'client', text: content }]
    if (now?.reply) lines.push({ from: 'us', text: now.reply })
    const isInQueue = now?.stage === 'attend' && before?.stage !== 'attend'
    const sector = menu?.known.find(({ sectorId }) => sectorId === now?.sectorId)
    const queue = sector ? `na fila de ${sector.name}` : 'na fila'
    if (isInQueue) lines.push({ from: 'note', text: `O cliente entra ${queue} com o que escreveu` })
    if (now?.stage === 'cancelled')
      lines.push({ from: 'note', text: 'Encerrado: o que escreveu fica no contato' })
    return lines
  })
}
