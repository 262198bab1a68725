import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

/** The height of the content that will replace it. */
export function SettingsSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando">
      {['w-2/3', 'w-1/2', 'w-3/4'].map((width, index) => (
        <SettingsSection key={width} title=" " isLast={index === 2}>
          <Skeleton className={`h-(--height-field) rounded-control ${width}`} />
          <Skeleton className="h-20 w-full rounded-control" />
        </SettingsSection>
      ))}
    </div>
  )
}
