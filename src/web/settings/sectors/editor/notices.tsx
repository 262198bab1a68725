import { CircleAlert, Lock, TriangleAlert } from 'lucide-react'
import type { ManagedSector } from '#shared/sectors/managed-sectors.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { openWords } from '#web/settings/sectors/words.ts'

/** A colleague has changed the same: nothing is overwritten without being asked. */
export function Contested({
  onTakeTheirs,
  onKeepMine,
}: {
  onTakeTheirs: () => void
  onKeepMine: () => void
}) {
  return (
    <div
      role="status"
      className={[
        'mt-4 flex flex-wrap items-center gap-2 rounded-control border border-amber-line',
        'bg-amber-soft px-3 py-1.5 text-sm font-medium text-amber-text',
      ].join(' ')}
    >
      <TriangleAlert size={16} aria-hidden className="flex-none" />
      Outra pessoa mudou o que você está editando. Nada foi sobrescrito.
      <Button size="sm" onClick={onTakeTheirs}>
        Usar o que foi salvo
      </Button>
      <Button size="sm" onClick={onKeepMine}>
        Manter o meu
      </Button>
    </div>
  )
}

export function NotSaved({ text }: { text: string }) {
  return (
    <div
      role="alert"
      className={[
        'flex w-full items-start gap-2 rounded-control border border-red-line',
        'bg-red-soft px-3 py-2 text-sm text-red-text',
      ].join(' ')}
    >
      <CircleAlert size={16} aria-hidden className="mt-0.5 flex-none" />
      <p className="min-w-0 flex-1">
        {text}{' '}
        <button type="submit" className="font-semibold underline underline-offset-2">
          Tentar novamente
        </button>
      </p>
    </div>
  )
}

/** The sector is gone: what was typed can be read, and no longer saved. */
export function Gone() {
  return (
    <p
      role="alert"
      className="mt-4 rounded-control border border-red-line bg-red-soft px-3 py-2 text-sm text-red-text"
    >
      Este setor foi excluído, ou você não responde mais por ele. O que você digitou continua aqui para ser
      copiado, e não pode mais ser salvo.
    </p>
  )
}

/** What it means that the sector is switched off, before it is saved. */
export function SwitchedOff({ sector: { name, open, waiting } }: { sector: ManagedSector }) {
  return (
    <p
      role="status"
      className={[
        'mt-4 rounded-control border border-amber-line bg-amber-soft px-3 py-2 text-sm wrap-anywhere',
        'text-amber-text',
      ].join(' ')}
    >
      Inativo, {name} não recebe conversas novas. {goOnWords(open, waiting)}.
    </p>
  )
}

/** 'As 5 abertas seguem, 2 na fila' */
function goOnWords(open: number, waiting: number): string {
  if (open === 0) return 'Nenhuma está aberta'
  if (open === 1) return `A conversa aberta segue${waiting > 0 ? ', na fila' : ''}`
  const queued = waiting === open ? ', todas na fila' : waiting > 0 ? `, ${waiting} na fila` : ''
  return `As ${openWords(open)} seguem${queued}`
}

export function ForLeads() {
  return (
    <p
      className={[
        'mt-4 flex items-start gap-2 rounded-control border border-line',
        'bg-sunken px-3 py-2 text-sm text-ink-2',
      ].join(' ')}
    >
      <Lock size={14} aria-hidden className="mt-[3px] flex-none" />
      Você responde por este setor: muda pessoas, horário e textos. O resto, somente administradores.
    </p>
  )
}
