import { useLayoutEffect, useRef, useState } from 'react'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { contrastOf } from './contrast.ts'

/** How the badge of a category looks in both themes, with the contrast of its text. */
export function BadgeSamples({ name, color }: { name: string; color: string }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-medium">Como aparece</p>
      <div className="grid grid-cols-2 gap-2">
        <Sample theme="light" name={name} color={color} />
        <Sample theme="dark" name={name} color={color} />
      </div>
      <p className="text-xs text-ink-3">O selo clareia ou escurece a cor até o texto ficar legível.</p>
    </div>
  )
}

function Sample({ theme, name, color }: { theme: 'light' | 'dark'; name: string; color: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [ratio, setRatio] = useState<number>()
  useLayoutEffect(() => {
    const badge = place.current?.querySelector('.badge-cat')
    setRatio(badge ? contrastOf(badge) : undefined)
  }, [color])
  return (
    <div
      ref={place}
      className={`sample-${theme} grid min-w-0 justify-items-start gap-1 rounded-control border px-2.5 py-2`}
    >
      <CategoryBadge color={color}>{name}</CategoryBadge>
      <p className="text-xs tabular-nums">
        {theme === 'light' ? 'Tema claro' : 'Tema escuro'}
        {ratio !== undefined && ` · ${ratio.toLocaleString('pt-BR', ratioDigits)} : 1`}
      </p>
    </div>
  )
}

const ratioDigits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
