import { Search, X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Input } from './input.tsx'

/** A search field of a toolbar; its placeholder is its name too. */
export function SearchField({
  value,
  onChange,
  placeholder,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'placeholder' | 'type'> & {
  value: string
  onChange: (value: string) => void
  placeholder: string
}) {
  return (
    <Input
      role="searchbox"
      {...rest}
      // With type="search" the browser would add a second clear button.
      type="text"
      inputMode="search"
      autoComplete="off"
      fieldSize="bar"
      className={cn(className)}
      placeholder={placeholder}
      aria-label={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      leading={<Search size={14} aria-hidden className="text-ink-3" />}
      trailing={
        value === '' ? null : (
          <IconButton
            size="sm"
            className="-mr-2 size-6"
            icon={X}
            label="Limpar busca"
            onClick={() => onChange('')}
          />
        )
      }
    />
  )
}
