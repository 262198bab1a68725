import { Coffee, Keyboard, LogOut, Moon, Sun } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type Command, commandFor, paletteAsked, useCommands } from '#web/platform/commands.ts'
import { isTyping, singleKeysChoice, useKeys } from '#web/platform/keys.ts'
import { useTheme } from '#web/platform/browser/theme.ts'
import { signOut, useOwnPresence } from '#web/users/users.tsx'

/** The heading of the commands of every screen. */
export const commandsOfAll = 'Balcão'

export type Overlay = 'palette' | 'shortcuts'

/** Overlays and commands called by a key, and commands available on every screen. */
export function useOverlay() {
  const [overlay, setOverlay] = useState<Overlay>()
  /** What the palette looks for at first. */
  const [text, setText] = useState('')
  const show = useCallback((asked: Overlay | undefined, typed = '') => {
    setText(typed)
    setOverlay(asked)
  }, [])
  const { theme, toggleTheme } = useTheme()
  const { isAway, pause, choose } = useOwnPresence()
  const isThere = !isAway && !pause
  useKeys(
    useCallback(
      (event) => {
        const asked = askedBy(event)
        const command = commandFor(event)
        if (!(asked ?? command) || document.querySelector('[role="dialog"], [role="menu"]')) return
        event.preventDefault()
        if (asked) show(asked)
        else if (!event.repeat) command?.run()
      },
      [show],
    ),
  )
  useEffect(() => paletteAsked.on((typed) => show('palette', typed)), [show])
  useCommands(
    useMemo((): Command[] => {
      const group = commandsOfAll
      return [
        {
          id: 'theme',
          group,
          label: theme === 'dark' ? 'Tema claro' : 'Tema escuro',
          icon: theme === 'dark' ? Sun : Moon,
          run: toggleTheme,
        },
        {
          id: 'away',
          group,
          label: isThere ? 'Ausente' : isAway ? 'Voltar da ausência' : 'Voltar a Disponível',
          icon: Coffee,
          run: () => choose(isThere ? 'away' : 'available'),
        },
        { id: 'shortcuts', group, label: 'Atalhos do teclado', icon: Keyboard, run: () => show('shortcuts') },
        { id: 'sign-out', group, label: 'Sair', icon: LogOut, run: () => void signOut() },
      ]
    }, [theme, toggleTheme, isThere, isAway, choose, show]),
  )
  return { overlay, text, show }
}

function askedBy({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): Overlay | undefined {
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k') return 'palette'
  const isAlone = !ctrlKey && !metaKey && !altKey
  if (key === '?' && isAlone && singleKeysChoice.get() && !isTyping(target)) return 'shortcuts'
  return undefined
}
