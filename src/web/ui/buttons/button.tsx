import { cva, type VariantProps } from 'class-variance-authority'
import type { LucideIcon } from 'lucide-react'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '#web/ui/cn.ts'
import { Spinner } from '#web/ui/states/spinner.tsx'

const buttonClasses = cva(
  [
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control',
    'border text-sm font-medium whitespace-nowrap select-none max-md:min-h-11',
  ].join(' '),
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-accent text-accent-ink',
        outline: 'border-line-strong bg-surface text-ink',
        ghost: 'border-transparent bg-transparent text-ink-2',
        danger: 'border-red-line bg-surface text-red-text',
        /** Only for confirming what cannot be undone. */
        dangerSolid: 'border-transparent bg-red text-red-ink',
        link: 'border-transparent bg-transparent text-accent-text',
      },
      size: {
        sm: 'h-7 px-[9px]',
        md: 'h-(--height-control) px-3',
        tall: 'h-(--height-field) px-3',
        login: 'h-10 px-3',
      },
      isBlock: { true: 'w-full', false: '' },
      isOff: {
        true: 'cursor-default border-line bg-sunken text-ink-3',
        false: '',
      },
    },
    compoundVariants: [
      { isOff: false, variant: ['outline', 'ghost', 'danger', 'link'], class: 'hover:bg-hover' },
      { isOff: false, variant: 'primary', class: 'hover:bg-accent-hover' },
      { isOff: false, variant: 'dangerSolid', class: 'hover:brightness-95' },
      { isOff: true, variant: ['ghost', 'link'], class: 'border-transparent bg-transparent' },
    ],
  },
)

/** Enter in a field presses the button of its form; a form without one would be sent all the same. */
const refuse = (event: { preventDefault: () => void }) => event.preventDefault()

export type ButtonProps = ComponentProps<'button'> &
  Pick<VariantProps<typeof buttonClasses>, 'variant' | 'size' | 'isBlock'> & {
    icon?: LucideIcon
    /** Shows the spinner and disables the button. */
    isBusy?: boolean
    /** Label while busy: 'Salvando...'. */
    busyLabel?: string
    /** Renders its only child, a link, with the look of a button. */
    asChild?: boolean
  }

export function Button({
  variant = 'outline',
  size = 'md',
  isBlock = false,
  icon: Icon,
  isBusy = false,
  busyLabel,
  asChild = false,
  type = 'button',
  disabled,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const classes = cn(
    buttonClasses({ variant, size, isBlock, isOff: disabled === true && !isBusy }),
    className,
  )
  if (asChild) {
    return (
      <Slot.Root className={classes} onClick={onClick} {...rest}>
        {children}
      </Slot.Root>
    )
  }
  const iconTone = variant === 'outline' ? 'text-ink-2' : ''
  return (
    <button
      // A busy button keeps the focus, hence aria-disabled rather than disabled.
      {...rest}
      type={type}
      disabled={disabled === true && !isBusy}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? refuse : onClick}
      className={cn(classes, isBusy && 'cursor-default')}
    >
      {isBusy ? (
        <Spinner className="-ml-[3px]" />
      ) : (
        Icon && <Icon size={16} aria-hidden className={cn(children && '-ml-[3px]', iconTone)} />
      )}
      {isBusy ? (busyLabel ?? children) : children}
    </button>
  )
}
