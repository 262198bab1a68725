import { Switch as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '#web/ui/cn.ts'

/** Name it with a surrounding label, or with `aria-label`. The target is 24 px high, the picture 18. */
export function Switch({ className, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    // In a form Radix adds a hidden checkbox beside the switch; without a positioned parent it would lengthen
    // the page.
    <span className="relative inline-flex shrink-0">
      <Radix.Root
        {...rest}
        className={cn(
          'group relative my-[-3px] inline-flex h-6 w-8 shrink-0 max-md:my-0',
          'items-center rounded-full disabled:cursor-default',
          className,
        )}
      >
        <span
          className={[
            'h-[18px] w-8 rounded-full bg-field group-data-[disabled]:bg-line',
            'group-data-[state=checked]:bg-accent',
            'group-data-[disabled]:group-data-[state=checked]:opacity-50',
          ].join(' ')}
        />
        <Radix.Thumb
          className={[
            'absolute left-0.5 size-3.5 rounded-full bg-surface transition-transform',
            'duration-(--duration-fast) ease-out group-data-[disabled]:bg-ink-3',
            'data-[state=checked]:translate-x-3.5 data-[state=checked]:bg-accent-ink',
            'dark:not-data-disabled:data-[state=unchecked]:bg-ink',
          ].join(' ')}
        />
      </Radix.Root>
    </span>
  )
}
