import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { fieldLook } from './field-look.ts'

export function Textarea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      {...rest}
      className={cn(fieldLook('field'), 'block h-auto resize-none px-2.5 py-2', className)}
    />
  )
}
