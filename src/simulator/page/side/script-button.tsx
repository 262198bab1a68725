import { Play, Square } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { PhoneView } from '#simulator/control-views.ts'
import { useAction } from '#simulator/page/data/mutations.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { runScript } from './run-script.ts'

/** Plays a script on the phones shown. */
export function ScriptButton({ phones }: { phones: PhoneView[] }) {
  const { run, isRunning } = useAction()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  function start() {
    const controller = new AbortController()
    running.current = controller
    run(() =>
      runScript(
        phones.map(({ id }) => id),
        controller.signal,
      ),
    )
  }
  if (isRunning)
    return (
      <Button size="sm" icon={Square} onClick={() => running.current?.abort()}>
        Parar roteiro
      </Button>
    )
  return (
    <Button
      size="sm"
      icon={Play}
      disabled={phones.length === 0}
      title="Os celulares na tela escrevem sozinhos uma conversa curta"
      onClick={start}
    >
      Roteiro
    </Button>
  )
}
