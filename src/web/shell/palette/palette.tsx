import { Command as Cmdk } from 'cmdk'
import { Dialog as Radix } from 'radix-ui'
import { useRef, useState } from 'react'
import { dialogGround, dialogLook } from '#web/ui/overlays/dialog-look.ts'
import { cn } from '#web/ui/cn.ts'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { useReturnFocus } from '#web/ui/overlays/return-focus.ts'
import { usePaletteGroups } from './use-palette-groups.tsx'

/** 'Ir para…': finds screens, conversations, contacts, messages and commands as the user types. */
export function Palette({
  text,
  onClose,
}: {
  /** What is looked for at first. */
  text: string
  onClose: () => void
}) {
  const [query, setQuery] = useState(text)
  const [marked, setMarked] = useState('')
  const hasChosen = useRef(false)
  const returnFocus = useReturnFocus()
  const { groups, isSearching, trouble } = usePaletteGroups(query)
  const all = groups.flatMap(({ items }) => items)
  // The marked item may no longer be among the results.
  const isMarkedHere = all.some(({ value }) => value === marked)
  const type = (typed: string) => {
    setQuery(typed)
    setMarked('')
  }
  const choose = (run: () => void) => {
    hasChosen.current = true
    onClose()
    run()
  }
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay
          className={cn(dialogGround, 'md:place-items-start md:justify-items-center md:pt-[12vh]')}
        >
          <Radix.Content
            aria-describedby={undefined}
            className={cn(dialogLook, 'max-md:h-[86dvh] md:max-h-[72vh] md:max-w-[620px]')}
            onOpenAutoFocus={returnFocus.onOpenAutoFocus}
            onCloseAutoFocus={(event) => {
              // The chosen item has the focus by now, or takes it.
              if (hasChosen.current) event.preventDefault()
              else returnFocus.onCloseAutoFocus(event)
            }}
          >
            <Radix.Title className="sr-only">Ir para…</Radix.Title>
            <Cmdk
              shouldFilter={false}
              loop
              label="Ir para…"
              className="flex min-h-0 flex-1 flex-col"
              value={isMarkedHere ? marked : (all[0]?.value ?? '')}
              onValueChange={setMarked}
            >
              <Cmdk.Input
                value={query}
                onValueChange={type}
                placeholder="Tela, conversa, contato, mensagem ou ação"
                className={[
                  'h-13 w-full flex-none border-b border-line bg-transparent',
                  'px-4 text-base outline-none placeholder:text-ink-3',
                ].join(' ')}
              />
              <Cmdk.List className="min-h-0 flex-1 overflow-y-auto p-1.5" label="Resultados">
                {groups.map(({ heading, items }) => (
                  <Cmdk.Group key={heading} heading={heading} className={groupLook}>
                    {items.map(({ value, run, shown }) => (
                      <Cmdk.Item
                        key={value}
                        value={value}
                        onSelect={() => choose(run)}
                        className={[
                          'flex min-h-10 cursor-pointer items-center gap-2.5',
                          'rounded-control px-2.5 text-sm data-[selected=true]:bg-selected',
                        ].join(' ')}
                      >
                        {shown}
                      </Cmdk.Item>
                    ))}
                  </Cmdk.Group>
                ))}
                {all.length === 0 && (
                  <Cmdk.Item
                    disabled
                    value="nothing"
                    className="px-3 py-8 text-center text-sm wrap-anywhere text-ink-2"
                  >
                    {isSearching ? 'Buscando…' : `Nada encontrado para “${query}”`}
                  </Cmdk.Item>
                )}
              </Cmdk.List>
            </Cmdk>
            {trouble && (
              <p role="status" className="flex-none border-t border-line px-4 py-2 text-sm text-ink-2">
                {trouble}
              </p>
            )}
            <p
              aria-hidden
              className={[
                'flex flex-none gap-4 border-t border-line bg-sunken',
                'px-4 py-2 text-xs text-ink-2 max-md:hidden',
              ].join(' ')}
            >
              <span>
                <KeyCap>↑</KeyCap> <KeyCap>↓</KeyCap> escolhe
              </span>
              <span>
                <KeyCap>Enter</KeyCap> abre
              </span>
              <span>
                <KeyCap>Esc</KeyCap> fecha
              </span>
            </p>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

const groupLook = [
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1',
  '[&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3',
].join(' ')
