import { useEffect, useState } from 'react'
import { useLiveStatus } from '#web/platform/live/live.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import type { PendingSend } from '#web/conversations/sends/sends.ts'
import { useIsUploading } from '#web/conversations/sends/uploads.ts'

/** A shorter wait is not worth mentioning. */
const toldAfterMs = 5000

/**
 * Whether a send has been waiting for the network for a while. A broken network may be noticed by nothing but
 * the missing answer; behind a file that is being uploaded, however, a send waits for its turn.
 */
export function useAwaitsNetwork({ composedAtMs }: PendingSend): boolean {
  const [isLate, setIsLate] = useState(false)
  const isConnected = useLiveStatus() === 'open'
  const isUploading = useIsUploading()
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), composedAtMs + toldAfterMs - serverNow())
    return () => clearTimeout(timer)
  }, [composedAtMs])
  return isLate && !(isConnected && isUploading)
}
