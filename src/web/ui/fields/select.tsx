import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'
import { fieldLook } from './field-look.ts'
import { styleNonce } from '#web/ui/nonce.ts'

export interface SelectOption {
  /** Never empty. */
  value: string
  label: ReactNode
  isDisabled?: boolean
}

/** A select. Name it with `aria-label`, or with a `Field` by spreading its control. */
export function Select({
  value,
  onChange,
  options,
  placeholder,
  fieldSize = 'field',
  isDisabled = false,
  className,
  ...control
}: {
  value: string | undefined
  onChange: (value: string) => void
  options: readonly SelectOption[]
  placeholder?: string
  fieldSize?: 'field' | 'bar'
  isDisabled?: boolean
  className?: string
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}) {
  return (
    <Radix.Root value={value ?? ''} onValueChange={onChange} disabled={isDisabled}>
      <Radix.Trigger
        {...control}
        className={cn(
          fieldLook(fieldSize),
          'flex items-center gap-2 px-2.5 text-left data-[placeholder]:text-ink-3',
          fieldSize === 'bar' && 'w-auto font-medium hover:bg-hover',
          className,
        )}
      >
        <span className="min-w-0 flex-1 truncate">
          <Radix.Value placeholder={placeholder} />
        </span>
        <Radix.Icon asChild>
          <ChevronDown size={14} aria-hidden className="text-ink-2" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className={[
            'animate-pop z-50 max-h-(--radix-select-content-available-height)',
            'min-w-(--radix-select-trigger-width) overflow-hidden rounded-card bg-surface shadow-float',
          ].join(' ')}
        >
          <Radix.Viewport nonce={styleNonce()} className="max-h-[300px] p-1">
            {options.map((option) => (
              <Item key={option.value} option={option} />
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Item({ option }: { option: SelectOption }) {
  return (
    <Radix.Item
      value={option.value}
      disabled={option.isDisabled ?? false}
      className={[
        'flex md:min-h-8 cursor-pointer items-center gap-2 rounded-[7px] px-2 text-sm',
        'outline-none select-none data-[disabled]:cursor-default data-[disabled]:text-ink-3',
        'data-[highlighted]:bg-hover data-[state=checked]:font-medium',
      ].join(' ')}
    >
      <span className="min-w-0 flex-1 truncate">
        <Radix.ItemText>{option.label}</Radix.ItemText>
      </span>
      <Radix.ItemIndicator>
        <Check size={14} aria-hidden className="text-accent-text" />
      </Radix.ItemIndicator>
    </Radix.Item>
  )
}
