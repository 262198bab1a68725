import { Check, Hourglass } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Counters } from '#simulator/control-views.ts'
import { Badge } from '#web/ui/badges/badge.tsx'

function number(value: number) {
  return value.toLocaleString('pt-BR')
}
function counted(value: number, one: string, many: string) {
  return value === 0 ? undefined : `${number(value)} ${value === 1 ? one : many}`
}

/** Counts of written and accepted messages, and of what went wrong. */
export function CountersLine({ counters }: { counters: Counters }) {
  const { written, accepted, duplicatesSent, dropped, retries, pendingWebhooks } = counters
  const isWhole = written === accepted
  const isLate = useIsLasting(!isWhole)
  const notes = [
    counted(duplicatesSent, 'repetição enviada', 'repetições enviadas'),
    counted(dropped, 'webhook perdido', 'webhooks perdidos'),
    counted(retries, 'nova tentativa', 'novas tentativas'),
    counted(pendingWebhooks, 'webhook na fila', 'webhooks na fila'),
  ].filter((note) => note !== undefined)
  return (
    <>
      <span className="whitespace-nowrap tabular-nums">
        {number(written)} {written === 1 ? 'escrita' : 'escritas'} {isWhole ? '=' : isLate ? '≠' : '·'}{' '}
        {number(accepted)} {accepted === 1 ? 'recebida' : 'recebidas'}
      </span>
      {isLate ? (
        <Badge tone="amber" icon={Hourglass}>
          {number(written - accepted)} sem confirmação
        </Badge>
      ) : (
        <Badge tone="green" icon={Check}>
          Tudo confere
        </Badge>
      )}
      <span className="min-w-0 truncate tabular-nums md:ml-auto">{notes.join(' · ')}</span>
    </>
  )
}

const graceMs = 2500

/** Whether a condition has held for a while, so that brief states are not shown. */
function useIsLasting(isSo: boolean): boolean {
  const [isLasting, setIsLasting] = useState(false)
  useEffect(() => {
    if (!isSo) return undefined
    const timer = setTimeout(() => setIsLasting(true), graceMs)
    return () => {
      clearTimeout(timer)
      setIsLasting(false)
    }
  }, [isSo])
  return isSo && isLasting
}
