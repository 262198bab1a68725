import { useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { clockTimeWithSeconds } from './dates.ts'
import { useNow } from './use-now.ts'

/** The simulator's time of day, to the second. Pass a `key` that changes with `serverNow`. */
export function Clock({ serverNow, className }: { serverNow: string; className?: string }) {
  const [aheadMs] = useState(() => Date.parse(serverNow) - Date.now())
  const nowMs = useNow(1000)
  return (
    <time className={cn('text-sm font-medium whitespace-nowrap', className)}>
      {clockTimeWithSeconds(nowMs + aheadMs)}
    </time>
  )
}
