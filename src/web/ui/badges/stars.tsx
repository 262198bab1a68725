import { Star } from 'lucide-react'

const steps = [1, 2, 3, 4, 5]

/** A rating, from 1 to 5. */
export function Stars({ value, size = 14 }: { value: number; size?: number }) {
  return (
    <span
      role="img"
      aria-label={`Avaliação ${value} de 5`}
      title={`${value} de 5`}
      className="inline-flex gap-px"
    >
      {steps.map((step) => (
        <Star
          key={step}
          aria-hidden
          size={size}
          fill="currentColor"
          strokeWidth={0}
          className={step <= value ? 'text-amber' : 'text-line-strong'}
        />
      ))}
    </span>
  )
}
