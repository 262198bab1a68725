import { WifiOff } from 'lucide-react'
import { failedText, useLiveError, useLiveStatus } from '#web/platform/live/live.ts'
import { Banner } from '#web/ui/states/banner.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'

/** Unobtrusive: reconnecting continues, and lists are polled meanwhile. */
export function ConnectionBanner() {
  const status = useLiveStatus()
  const error = useLiveError()
  if (status === 'failed')
    return (
      <Banner tone="red" icon={<WifiOff size={12} aria-hidden />}>
        {failedText}
      </Banner>
    )
  if (status === 'reconnecting')
    return (
      <Banner icon={<Spinner size={12} />}>
        {error && (
          <>
            <span>{error}</span>
            <span aria-hidden>·</span>
          </>
        )}
        <span>Reconectando…</span>
      </Banner>
    )
  return null
}
