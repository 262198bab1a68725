import { useQuery } from '@tanstack/react-query'
import { useSettled } from '#web/platform/browser/use-settled.ts'
import { cn } from '#web/ui/cn.ts'
import { profileQueries } from './queries.ts'

const pauseMs = 250
const words = ['Muito fraca.', 'Fraca.', 'Razoável.', 'Boa.', 'Muito boa.']
const looks = [
  { bar: 'bg-red', text: 'text-red-text' },
  { bar: 'bg-red', text: 'text-red-text' },
  { bar: 'bg-amber', text: 'text-amber-text' },
  { bar: 'bg-green', text: 'text-green-text' },
  { bar: 'bg-green', text: 'text-green-text' },
]

/**
 * How well a password resists guessing, shown while it is typed; nothing for an empty one, nor for
 * blanks, which are no new password.
 * @param known of the person whose password it is; absent: of the user
 */
export function PasswordStrength({ password, known }: { password: string; known?: readonly string[] }) {
  const typed = useSettled(password, pauseMs)
  const { data } = useQuery({ ...profileQueries.strength(typed, known), enabled: typed.trim() !== '' })
  if (password.trim() === '') return null
  const look = data && looks[data.score]
  return (
    <div role="status" className="grid gap-1">
      <div aria-hidden className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={cn(
              'h-1 rounded-full bg-line-strong',
              look && data.score >= step - (data.score === 0 ? 1 : 0) && look.bar,
            )}
          />
        ))}
      </div>
      <p className="min-h-4 text-xs text-ink-2">
        {look && (
          <>
            <b className={cn('font-semibold', look.text)}>{words[data.score]}</b> {data.advice}
          </>
        )}
      </p>
    </div>
  )
}
