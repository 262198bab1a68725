import { useEffect, useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { clockTimeWithSeconds } from './dates.ts'

/** The simulator's time of day, to the second. Pass a `key` that changes with `serverNow`. */
export function Clock({ serverNow, className }: { serverNow: string; className?: string }) {
  const [aheadMs] = useState(() => Date.parse(serverNow) - Date.now())
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time className={cn('text-sm font-medium whitespace-nowrap', className)}>
      {clockTimeWithSeconds(nowMs + aheadMs)}
    </time>
  )
}
